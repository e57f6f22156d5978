// What each round of waking has: a hub, a home of the client with the hub's MCP server in it, a model that reads its mail when it is
// woken, and the companion.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../tool.mjs';
import { startHub } from './hub.mjs';
import { startModel } from './model-server.mjs';
import { textOf } from './shown.mjs';
import { openTerminal, until } from './terminal.mjs';

const main = join(root, 'dist', 'cli', 'main.js');
/** After its turn a client has things to do, such as its Stop hooks. */
const idleMs = 3_000;
const words = 'The build on main is red.';
const step = (value) => ({ value, done: false });

export async function openStage({ client, command, folder }) {
  const home = join(folder, 'home');
  // OpenCode reads its settings where it is started.
  const work = client.id === 'opencode' ? home : join(home, 'work');
  mkdirSync(work, { recursive: true });
  const hub = await startHub(join(folder, 'data'));
  await hub.register('sender');
  await hub.register('reader');
  const seen = { requests: 0 };
  let firstStep = { text: 'Ready.' };
  /** The first turn ends, or parks a wait. After the send the next request is the wake: the model reads its mail. */
  const script = {
    async next(shown) {
      seen.requests += 1;
      seen.firstAnswerAt ??= Date.now();
      if (seen.requests === 1) return step(firstStep);
      if (seen.sentAt === undefined) return step({ text: 'Waiting.' });
      const text = textOf(shown ?? []).trim();
      seen.wokenAt ??= Date.now();
      seen.wake ??= text.split('\n').findLast((line) => line.includes('unread')) ?? '';
      if (!text.includes(words))
        return step(seen.mail === undefined ? { call: 'get_messages', input: {} } : { text: 'Done.' });
      seen.mail = text;
      return step({ text: 'Read.' });
    },
  };
  let { say } = client;
  const model = await startModel({
    api: client.api,
    script,
    say: (...args) => say(...args),
    log: join(folder, 'model.jsonl'),
  });
  const env = { PATH: process.env.PATH, HOME: home, ...client.env(model.url) };
  for (const [path, text] of Object.entries(client.files?.(model.url) ?? {})) write(path, text);
  const children = [];
  let terminal;

  /** A file that is there already is JSON too, and keeps what it has. */
  function write(path, given) {
    const target = join(home, path);
    mkdirSync(dirname(target), { recursive: true });
    const text = typeof given === 'string' ? given : JSON.stringify(given, null, 2);
    const merged = () => JSON.stringify({ ...JSON.parse(readFileSync(target, 'utf8')), ...JSON.parse(text) });
    writeFileSync(target, existsSync(target) ? merged() : text);
  }

  function start(program, args, log, extra = {}) {
    const descriptor = openSync(join(folder, log), 'a');
    const child = spawn(program, args, {
      cwd: work,
      env: { ...env, ...extra },
      stdio: ['ignore', descriptor, descriptor],
    });
    closeSync(descriptor);
    children.push(child);
    process.on('exit', () => child.kill('SIGKILL'));
    return child;
  }

  return {
    hub,
    home,
    work,
    folder,
    command,
    write,
    seen,
    setFirstStep: (value) => (firstStep = value),
    /** The companion's command line, for a hook or a monitor. */
    companionLine: (...args) =>
      [process.execPath, main, 'wake', ...args, '--agent', 'reader', '--url', hub.url].join(' '),
    turnEndLine: () => [process.execPath, main, 'inbox', '--hook', '--as', 'reader', '--url', hub.url].join(' '),
    /** Connects as `coterie connect` says. */
    async connect() {
      const { text, file } = await hub.connectHint(client.id);
      if (file !== undefined) return write(file.replace('~/', ''), text);
      const program = command.map((part) => `'${part}'`).join(' ');
      const line = `${client.id}() { ${program} "$@"; }; ${text}`;
      const { status, stderr } = spawnSync('sh', ['-c', line], { cwd: work, env, encoding: 'utf8' });
      if (status !== 0) throw new Error(`connect: ${stderr}`);
    },
    /** Connects with `coterie init`, which writes a plugin for Claude Code. */
    init(plugin) {
      ({ say } = plugin);
      const args = [main, 'init', client.id, '--agent', 'reader', '--yes', '--url', hub.url];
      const { status, stderr } = spawnSync(process.execPath, args, { cwd: work, env, encoding: 'utf8' });
      if (status !== 0) throw new Error(`init: ${stderr}`);
    },
    /** Runs a program to its end. */
    async runClient(args, log = 'run.log') {
      const child = start(command[0], [...command.slice(1), ...args], log);
      await new Promise((resolve) => child.once('exit', resolve));
    },
    startClient: (args, log = 'client.log') => start(command[0], [...command.slice(1), ...args], log),
    startCompanion: (args, extra) =>
      start(
        process.execPath,
        [main, 'wake', args[0], '--agent', 'reader', '--url', hub.url, ...args.slice(1)],
        'companion.log',
        extra,
      ),
    openTerminal(args, extra = {}) {
      terminal = openTerminal(`wake-${process.pid}-${Date.now()}`, work, { ...env, ...extra }, [...command, ...args]);
      return terminal;
    },
    screen: () => terminal?.screen() ?? '',
    until,
    firstTurnEnds: () => until('the end of the first turn', () => seen.requests >= 1),
    routeIsLive: () =>
      until('a live route', async () => (await hub.wakes()).routes.some(({ state }) => state === 'live')),
    /** Mail that is there before the turn begins: it comes at its end. */
    async sendBefore() {
      seen.sentAt = Date.now();
      seen.messageId = await hub.send(words);
    },
    /** Sends, and waits until the model has read it and the hub knows. */
    async wakeAndSee() {
      if (seen.messageId === undefined) await sleep(idleMs);
      const since = seen.messageId === undefined ? Date.now() : seen.firstAnswerAt;
      seen.sentAt ??= since;
      const messageId = seen.messageId ?? (await hub.send(words));
      await until('the model reading its mail', () => seen.mail?.includes(words), 60_000);
      await until('the receipt', async () => (await hub.receiptOf(messageId)).state === 'read', 20_000);
      const { state, wakes = [] } = await hub.receiptOf(messageId);
      const attempts = wakes.map((wake) => `${wake.kind} ${wake.state}`);
      return { ms: seen.wokenAt - since, wake: seen.wake.slice(0, 200), receipt: state, attempts };
    },
    async close() {
      terminal?.close();
      for (const child of children) child.kill('SIGKILL');
      hub.stop();
    },
  };
}
