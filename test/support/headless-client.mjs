// A headless client for `coterie wake run`: notes that it was started, then does what its first argument says. The hub is given by its
// URL, or by the data folder of one that may restart at another.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const [behaviour, log, hub, agent, ...rest] = process.argv.slice(2);
const note = (what) => appendFileSync(log, `${JSON.stringify({ what, pid: process.pid, at: Date.now(), rest })}\n`);

const urlOf = () => (hub.startsWith('http') ? hub : JSON.parse(readFileSync(join(hub, 'hub.json'), 'utf8')).url);

const post = (operation, input) =>
  fetch(`${urlOf()}/v1/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'coterie-agent': agent },
    body: JSON.stringify(input),
  });

/** A hub that restarts is no reason for a client to give up. */
async function read() {
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      const { messages } = await (await post('get_messages', { limit: 500 })).json();
      for (const { id } of messages) note(`read ${id}`);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

const cli = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** Connects through a bridge as a client does before its model runs, then makes these requests of the model, and closes. */
async function throughBridge(requests) {
  const bridge = spawn(process.execPath, [cli, 'mcp', '--agent', agent, '--url', urlOf()], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines = createInterface(bridge.stdout)[Symbol.asyncIterator]();
  const clientInfo = { name: 'headless', version: '1' };
  const initialize = ['initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }];
  for (const [id, [method, params]] of [initialize, ['tools/list', {}], ...requests].entries()) {
    bridge.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    await lines.next();
  }
  bridge.stdin.end();
  await once(bridge, 'exit');
}

note('start');
const behaviours = {
  read,
  connect: () => throughBridge([]),
  callTool: () => throughBridge([['tools/call', { name: 'list_groups', arguments: {} }]]),
  fail: () => process.exit(3),
  /** Takes its time, like a model. */
  async slow() {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await read();
  },
  /** As long as the test wants. */
  async held() {
    while (!existsSync(`${log}.go`)) await new Promise((resolve) => setTimeout(resolve, 50));
    await read();
  },
  idle: () => setInterval(() => {}, 1_000),
  hang() {
    process.on('SIGTERM', () => note('SIGTERM'));
    setInterval(() => {}, 1_000);
  },
};
await behaviours[behaviour]();
note('end');
