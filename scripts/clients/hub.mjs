// The hub of dist on SQLite that a client is run against: can be killed and started again at the same address.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { root } from '../tool.mjs';

const readWithinMs = 5_000;
const run = promisify(execFile);
const main = join(root, 'dist', 'cli', 'main.js');

const cli = async (...args) => (await run(process.execPath, [main, ...args])).stdout.trim();

export async function startHub(data) {
  let { child, url } = await launch(data, '0');
  let keyOfSender;
  const call = (operation, input, agent) => post(`${url}/v1/${operation}`, input, senderOf(agent));
  const senderOf = (agent) =>
    keyOfSender === undefined ? { 'coterie-agent': agent } : { authorization: `Bearer ${keyOfSender}` };
  return {
    get url() {
      return url;
    },
    send: async (content) => (await call('send_message', { target: 'reader', content }, 'sender')).messageId,
    // By a command, which is no program under this name: a second one would make the hub warn the client.
    register: (agentId) => cli('call', 'register_agent', JSON.stringify({ agentId }), '--as', agentId, '--url', url),
    /** How the reader was woken: routes and wakes. */
    wakes: () => call('list_wakes', {}, 'reader'),
    receiptOf: async (messageId) => (await call('get_receipts', { messageId }, 'sender')).deliveries[0],
    /** Where the reader's copy stands, `read` at the latest after some seconds. */
    async stateOf(messageId) {
      const end = performance.now() + readWithinMs;
      for (;;) {
        const { deliveries } = await call('get_receipts', { messageId }, 'sender');
        const [{ state }] = deliveries;
        if (state === 'read' || performance.now() > end) return state;
        await sleep(100);
      }
    },
    /** Ends open mode; resolves with the reader's key when the hub asks for keys. */
    async makeKeys() {
      keyOfSender = await cli('keys', 'create', '--agent', 'sender', '--data', data);
      const keyOfReader = await cli('keys', 'create', '--agent', 'reader', '--data', data);
      while ((await fetch(`${url}/metrics`)).status !== 401) await sleep(100);
      return keyOfReader;
    },
    /** What `coterie connect` prints for a client: a line for the terminal, or the text of a file. */
    async connectHint(client) {
      const { clients } = JSON.parse(await cli('connect', client, '--agent', 'reader', '--url', url, '--json'));
      return clients[0];
    },
    async killAndStart() {
      child.kill('SIGKILL');
      await once(child, 'exit');
      ({ child, url } = await launch(data, new URL(url).port));
    },
    stop: () => child.kill('SIGKILL'),
  };
}

async function launch(data, port) {
  const serve = [main, 'serve', '--port', port, '--data', data];
  const child = spawn(process.execPath, serve, { stdio: ['ignore', 'pipe', 'ignore'] });
  process.on('exit', () => child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^coterie ready (\S+)$/.exec(line)?.[1];
    if (url !== undefined) return { child, url };
  }
  throw new Error('The hub ended before it was ready.');
}

async function post(url, input, sender) {
  const headers = { 'content-type': 'application/json', ...sender };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(input) });
  const body = await response.json();
  if (!response.ok) throw new Error(`${url}: ${JSON.stringify(body)}`);
  return body;
}
