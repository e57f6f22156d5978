// Connects a client to the hub as `coterie connect` says, and runs it until its model has said all.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startModel } from './model-server.mjs';

const runMsMax = 240_000;
const lastWords = 1_000;

/** Resolves with what its model was sent and what a person read, in `mcp list` and in the run. */
export async function runOnce({ client, command, folder, hub, script, key }) {
  const home = join(folder, 'home');
  const modelLog = join(folder, 'model.jsonl');
  writeFileSync(modelLog, '');
  const model = await startModel({ api: client.api, script, say: client.say, log: modelLog });
  // Nothing of the caller's environment: what is set there is not what a new user has.
  const keyed = key === undefined ? {} : { COTERIE_KEY: key };
  const env = { PATH: process.env.PATH, HOME: home, ...client.env(model.url), ...keyed };

  mkdirSync(home);
  for (const [path, text] of Object.entries(client.files?.(model.url) ?? {})) writeHome(path, text);
  const { text, file } = await hub.connectHint(client.id);
  if (file === undefined) await asTyped(text);
  else writeHome(file.replace('~/', ''), text);

  const status = await started(client.status, 'status.log');
  const run = await started(client.run, 'run.log');
  if (!model.isAtEnd()) console.error(`${client.id} ended before its model's script did: …${run.slice(-lastWords)}`);
  return { status, run, model: readFileSync(modelLog, 'utf8') };

  /** A file that is there already is JSON too, and keeps what it has. */
  function writeHome(path, content) {
    const target = join(home, path);
    mkdirSync(dirname(target), { recursive: true });
    const isMerged = existsSync(target);
    const merged = () => JSON.stringify({ ...JSON.parse(readFileSync(target, 'utf8')), ...JSON.parse(content) });
    writeFileSync(target, isMerged ? merged() : content);
  }

  /** The line as a person pastes it into a shell, where the client's name starts the one that was installed. */
  function asTyped(line) {
    const program = command.map((part) => `'${part}'`).join(' ');
    return output('sh', ['-c', `${client.id}() { ${program} "$@"; }; ${line}`], 'connect.log');
  }

  function started(args, log) {
    const [program, ...before] = command;
    return output(program, [...before, ...args], log);
  }

  async function output(program, args, log) {
    const path = join(folder, log);
    const descriptor = openSync(path, 'a');
    const child = spawn(program, args, { cwd: home, env, stdio: ['ignore', descriptor, descriptor] });
    const kill = () => child.kill('SIGKILL');
    const overdue = setTimeout(kill, runMsMax);
    process.once('exit', kill);
    await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', resolve);
    });
    process.off('exit', kill);
    clearTimeout(overdue);
    closeSync(descriptor);
    return readFileSync(path, 'utf8');
  }
}
