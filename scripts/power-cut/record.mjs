// A hub under strace, and clients that note what they were told and when.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHub } from '../../dist/compose.js';
import { loadConfig } from '../../dist/config.js';
import { root } from '../tool.mjs';

const readers = ['ann', 'ben', 'cleo'];
const senders = 4;
const calls = 'pwrite64,ftruncate,fsync,fdatasync';
export const silent = { info() {}, warn() {}, error() {} };

export async function record({ folder, seconds, random }) {
  const data = join(folder, 'data');
  await prepare(data);
  const base = join(folder, 'base');
  cpSync(data, base, { recursive: true });
  const trace = join(folder, 'trace');
  const hub = await startTraced(data, trace);
  const events = [];
  const loadFromUs = Date.now() * 1_000;
  const until = Date.now() + seconds * 1_000;
  const context = { url: hub.url, events, until, random };
  await Promise.all([
    ...Array.from({ length: senders }, (_, index) => send(context, index)),
    ...readers.map((reader) => read(context, reader)),
  ]);
  process.kill(hub.pid, 'SIGKILL');
  await hub.ended;
  const acknowledged = events.filter(({ kind }) => kind === 'sent').length;
  const seen = events.filter(({ kind }) => kind === 'seen').length;
  return { trace: readFileSync(trace, 'latin1'), base, events, loadFromUs, acknowledged, seen };
}

/** A hub that ended properly: the record begins with a whole database. */
async function prepare(data) {
  const config = loadConfig(['--data', data, '--port', '0'], {});
  const hub = await startHub({ config, log: silent, onBroken: () => process.exit(1) });
  for (const agentId of [...readers, 'sender']) await post(hub.url, 'register_agent', { agentId }, agentId);
  await hub.stop({ isHurried: true });
}

async function startTraced(data, trace) {
  const hub = [process.execPath, join(root, 'dist/cli/main.js'), 'serve', '--data', data, '--port', '0'];
  const how = ['-f', '-qq', '-y', '-ttt', '-xx', '-s', '4194304', '-e', `trace=${calls}`, '-o', trace];
  const child = spawn('strace', [...how, ...hub], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  let said = '';
  for await (const chunk of child.stdout) {
    said += chunk;
    const url = /coterie ready (\S+)/.exec(said)?.[1];
    if (url === undefined) continue;
    child.stdout.resume();
    return { url, ended, pid: JSON.parse(readFileSync(join(data, 'hub.json'), 'utf8')).pid };
  }
  throw new Error(`the hub did not start: ${said}`);
}

async function post(url, operation, input, agent) {
  const response = await fetch(`${url}/v1/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'coterie-agent': agent },
    body: JSON.stringify(input),
  });
  return response.json();
}

/** In bursts with pauses: what is taken in a pause is followed by no sync. */
async function send({ url, events, until, random }, index) {
  for (let count = 0; Date.now() < until; count += 1) {
    const uid = `${index}-${count}`;
    const to = random.pick(readers);
    const answer = await post(url, 'send_message', { target: to, content: `message ${uid}` }, 'sender');
    if (answer.seq !== undefined) events.push({ kind: 'sent', atMs: Date.now(), to, uid, seq: answer.seq });
    if (random.happens(0.1)) await sleep(random.between(50, 400));
  }
}

async function read({ url, events, until, random }, agent) {
  while (Date.now() < until) {
    const input = { limit: random.whole(1, 5) };
    const isWait = random.happens(0.5);
    const operation = isWait ? 'wait_for_mentions' : 'get_messages';
    const answer = await post(url, operation, isWait ? { ...input, timeoutMs: 200, for: 'all' } : input, agent);
    for (const { seq, redelivered } of answer.messages ?? [])
      events.push({ kind: 'seen', atMs: Date.now(), agent, seq, isMarked: redelivered === true });
    if (random.happens(0.5)) await sleep(random.between(0, 60));
  }
}

export function isDatabaseFile(name) {
  return name === 'coterie.db' || name === 'coterie.db-wal';
}

export function bytesOf(base, name) {
  const path = join(base, name);
  return existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
}
