// A client that takes messages as fast as they come until it is killed. Each one is noted in a file before anything
// else is done with it: what is in the file was seen, whatever happens next.
import { spawn } from 'node:child_process';
import { openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [noteFile, cliPath, ...bridgeArgs] = process.argv.slice(2);
const notes = openSync(noteFile, 'a');
const bridge = spawn(process.execPath, [cliPath, 'mcp', ...bridgeArgs], { stdio: ['pipe', 'pipe', 'ignore'] });
writeSync(notes, `${JSON.stringify({ bridge: bridge.pid })}\n`);
bridge.once('exit', () => process.exit(1));

let id = 0;
const write = (message) => bridge.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const take = () => {
  const name = id % 3 === 0 ? 'get_messages' : 'wait_for_mentions';
  write({ id: (id += 1), method: 'tools/call', params: { name, arguments: { limit: 2 } } });
};

createInterface({ input: bridge.stdout }).on('line', (line) => {
  if (line === '') return;
  const { id: answered, result } = JSON.parse(line);
  for (const { id: message, redelivered } of result.structuredContent?.messages ?? []) {
    writeSync(notes, `${JSON.stringify({ message, redelivered: redelivered === true })}\n`);
  }
  if (answered === 1) write({ method: 'notifications/initialized' });
  take();
});
const clientInfo = { name: 'doomed', version: '1' };
write({ id: (id += 1), method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
