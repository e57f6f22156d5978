// Prints the source files that one send_message over MCP executes, in the main thread and in the writer thread.
// Only files that every one of several calls executes count, so that timers in between do not. With --thread the
// message goes to a thread and mentions its reader.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { toolCallBody, toolCallHeaders } from '../bench/support/tool-call.mjs';
import { root, runTool } from './tool.mjs';

const warmUps = 3;
const calls = 5;
/** For what the hub does after its response. */
const settleMs = 100;

/** Compiled only: dist has the hub in bundles, which do not say what file a function is of. */
const modules = join(root, 'dist-modules');
try {
  process.exitCode = runTool('typescript', 'tsc', { args: ['-p', root, '--outDir', modules], stdout: 2 });
  if (process.exitCode === 0) await trace();
} finally {
  rmSync(modules, { recursive: true, force: true });
}

async function trace() {
  const data = mkdtempSync(join(tmpdir(), 'coterie-trace-'));
  const preload = import.meta.resolve('./trace/collect-coverage.mjs');
  const args = ['--import', preload, join(modules, 'cli/main.js'), 'serve', '--port', '0', '--data', data];
  const hub = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] });
  try {
    const [line] = await once(hub.stdout.setEncoding('utf8'), 'data');
    const url = line.trim().replace('coterie ready ', '');
    for (const agent of ['ann', 'ben']) await callTool(url, agent, { name: 'register_agent', input: {} });
    const target = await openTarget(url);
    for (let index = 0; index < warmUps; index += 1) await send(url, target);
    const samples = [];
    for (let index = 0; index < calls; index += 1) {
      await takeCoverage(hub);
      await send(url, target);
      await sleep(settleMs);
      samples.push(await takeCoverage(hub));
    }
    print(inAll(samples.map(({ main }) => sourcesOf(main))), inAll(samples.map(({ worker }) => sourcesOf(worker))));
  } finally {
    const ended = once(hub, 'exit');
    hub.kill('SIGTERM');
    await ended;
    rmSync(data, { recursive: true, force: true });
  }
}

async function openTarget(url) {
  if (!process.argv.includes('--thread')) return { target: 'ben' };
  const answer = await callTool(url, 'ann', { name: 'create_thread', input: { title: 'T', participants: ['ben'] } });
  return { threadId: JSON.parse(answer).result.structuredContent.threadId, mentions: ['ben'] };
}

function send(url, target) {
  return callTool(url, 'ann', { name: 'send_message', input: { ...target, message: 'Tests passing.' } });
}

async function callTool(url, agent, { name, input }) {
  const response = await fetch(`${url}/mcp?agent=${agent}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...toolCallHeaders(name) },
    body: toolCallBody(name, input),
  });
  const answer = await response.text();
  if (!answer.includes('"success":true')) throw new Error(`${name} failed: ${answer}`);
  return answer;
}

async function takeCoverage(hub) {
  const report = once(hub, 'message');
  hub.send('take');
  return (await report)[0];
}

/** dist-modules/x.js → x.ts; nothing for files that are not ours. */
function sourcesOf(urls) {
  const folder = modules + sep;
  return urls
    .filter((url) => url.startsWith('file:') && fileURLToPath(url).startsWith(folder))
    .map((url) => relative(folder, fileURLToPath(url)).replaceAll(sep, '/').replace(/\.js$/, '.ts'));
}

function inAll([first, ...others]) {
  return first.filter((file) => others.every((files) => files.includes(file)));
}

function print(main, writer) {
  const files = [...new Set([...main, ...writer])].toSorted((a, b) => a.localeCompare(b));
  const rooms = groupBy(files, roomOf);
  for (const [room, inRoom] of rooms) {
    console.log(`\n${room === '.' ? 'src' : `src/${room}`} (${inRoom.length})`);
    for (const file of inRoom) {
      const threads = [...(main.includes(file) ? ['main'] : []), ...(writer.includes(file) ? ['writer'] : [])];
      console.log(`  ${file.padEnd(48)} ${threads.join(', ')}`);
    }
  }
  console.log(
    `\n${files.length} files in ${rooms.size} rooms; ${main.length} in the main thread, ${writer.length} in the writer.`,
  );
}

function roomOf(file) {
  return file.includes('/') ? file.split('/')[0] : '.';
}

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
