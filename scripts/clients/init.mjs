// Connects a client with `coterie init` in a new home, and runs it until its model has read a mail: `node init.mjs NAME FOLDER COMMAND…`.
// Over HTTP and on stdio. Prints what was seen, as JSON. The network must have nothing but loopback.
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../tool.mjs';
import { claudePlugin, clients } from './client-list.mjs';
import { startHub } from './hub.mjs';
import { startModel } from './model-server.mjs';
import { textOf } from './shown.mjs';

const main = join(root, 'dist', 'cli', 'main.js');
const runMsMax = 120_000;
const triesMax = 8;
const words = 'The harbour crane is painted blue.';

const [name, folder, ...command] = process.argv.slice(2);
const { say, tools } = claudePlugin;
const client = { ...clients[name], ...(name === 'claude' ? { say, run: ['-p', 'go', '--allowedTools', tools] } : {}) };

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const data = join(folder, 'data');
const hub = await startHub(data);
await hub.register('sender');
await hub.register('reader');
const seen = {
  http: await round('http', ['--url', hub.url]),
  stdio: await round('stdio', ['--data', data]),
};
console.log(JSON.stringify(seen));
process.exit(0);

/** In a home of its own, as a new user. */
async function round(title, hubFlags) {
  const home = join(folder, title);
  let shown = '';
  async function* script() {
    // Codex sends its first request before a server on stdio has started.
    for (let times = 0; times < triesMax && !shown.includes(words); times += 1) {
      shown = textOf(yield { call: 'get_messages', input: {} });
      await sleep(1_000);
    }
  }
  mkdirSync(home);
  const log = join(folder, `${title}.jsonl`);
  writeFileSync(log, '');
  const model = await startModel({ api: client.api, script: script(), say: client.say, log });
  const env = { PATH: process.env.PATH, HOME: home, ...client.env(model.url) };
  for (const [path, text] of Object.entries(client.files?.(model.url) ?? {})) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const before = filesIn(home);
  const init = (...args) =>
    execFileSync(process.execPath, [main, 'init', name, ...args], { cwd: home, env, encoding: 'utf8', stdio: 'pipe' });
  init('--agent', 'reader', '--yes', ...hubFlags);
  const written = filesIn(home);
  const isSame = init('--yes') === 'Nothing to change.\n';
  await hub.send([{ type: 'text', text: words }]);
  const started = performance.now();
  const exitCode = await run(home, env, title);
  const seconds = Math.round((performance.now() - started) / 1000);
  init('--undo', '--yes');
  const left = filesIn(home);
  // Clients write into their files too; then only what is ours goes.
  const isUndone = (path) => left.get(path) === before.get(path) || !/coterie/i.test(left.get(path) ?? '');
  return {
    mail: shown.includes(words) ? 'read' : `**${shown.slice(0, 200)}**`,
    again: isSame ? 'nothing to change' : '**changes**',
    run: `ended with ${exitCode} after ${seconds} s`,
    undo: [...written.keys()].every(isUndone) ? 'as before' : '**not as before**',
  };
}

/** With their content, but for what hub and client keep of their own. */
function filesIn(home) {
  const paths = readdirSync(home, { recursive: true }).filter((path) => !path.startsWith('.local'));
  return new Map(
    paths
      .filter((path) => statSync(join(home, path)).isFile())
      .map((path) => [path, readFileSync(join(home, path), 'utf8')]),
  );
}

async function run(cwd, env, title) {
  const [program, ...before] = command;
  const output = openSync(join(folder, `${title}.log`), 'a');
  const child = spawn(program, [...before, ...client.run], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', output, output],
  });
  // With the processes that it started.
  const kill = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL');
  process.once('exit', kill);
  const overdue = setTimeout(kill, runMsMax);
  const exitCode = await new Promise((resolve) => child.once('exit', resolve));
  clearTimeout(overdue);
  process.off('exit', kill);
  closeSync(output);
  return exitCode ?? 'SIGKILL';
}
