// Runs one client from its start to the end of its model's script: `node run-client.mjs NAME FOLDER COMMAND…`. Prints what
// the model was shown, as JSON. The network it is started in must have nothing but loopback.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { clients } from './client-list.mjs';
import { conversation } from './conversation.mjs';
import { startHub } from './hub.mjs';
import { startModel } from './model-server.mjs';

const runMsMax = 240_000;
const lastWords = 1_000;

const [name, folder, ...command] = process.argv.slice(2);
const client = clients[name];
const home = join(folder, 'home');
const clientLog = join(folder, 'client.log');
const seen = {};

// What runs on exit would not run after a signal.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const hub = await startHub(join(folder, 'data'));
await hub.register('sender');
await hub.register('reader');
const script = conversation(hub, seen);
const model = await startModel({ api: client.api, script, say: client.say, log: join(folder, 'model.jsonl') });

const address = `${hub.url}/mcp?agent=reader`;
mkdirSync(home);
for (const [path, text] of Object.entries(client.files?.(model.url, address) ?? {})) writeHome(path, text);
if (client.connect !== undefined) await runClient(client.connect(address));
await runClient(client.run);
if (!model.isAtEnd())
  console.error(`${name} ended before its model's script did: …${readFileSync(clientLog, 'utf8').slice(-lastWords)}`);
console.log(JSON.stringify(seen));
process.exit(0);

function writeHome(path, text) {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** With nothing of the caller's environment: what is set there is not what a new user has. */
async function runClient(args) {
  const env = { PATH: process.env.PATH, HOME: home, ...client.env(model.url) };
  const output = openSync(clientLog, 'a');
  const [program, ...before] = command;
  const child = spawn(program, [...before, ...args], { cwd: home, env, stdio: ['ignore', output, output] });
  const kill = () => child.kill('SIGKILL');
  const overdue = setTimeout(kill, runMsMax);
  process.once('exit', kill);
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  process.off('exit', kill);
  clearTimeout(overdue);
  closeSync(output);
}
