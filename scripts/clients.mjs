// Runs real clients against the hub, with a scripted model in place of theirs, and prints what model and person were shown:
// `npm run clients -- claude codex`, all five without names. `--write` puts the table into docs/clients.md, `--keep` keeps the
// logs. `--permission` shows what Claude Code does with `coterie hook permission`, `--wake` how an idle client is woken by each route. Each runs alone in a network of loopback only, so this needs root on Linux; the packages are installed before.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { clients } from './clients/client-list.mjs';
import { installClient } from './clients/install.mjs';
import { runAlone, whyNoNamespace } from './clients/namespace.mjs';
import { tableOf, writeTable } from './clients/table.mjs';
import { wakeRounds } from './clients/wake-rounds.mjs';
import { wakeTable } from './clients/wake-table.mjs';
import { install } from './install.mjs';
import { root, runTool } from './tool.mjs';

const removal = { recursive: true, force: true, maxRetries: 5 };

const { values, positionals } = parseArgs({
  options: {
    write: { type: 'boolean' },
    keep: { type: 'boolean' },
    init: { type: 'boolean' },
    permission: { type: 'boolean' },
    wake: { type: 'boolean' },
  },
  allowPositionals: true,
});
const choices = Object.keys(values.wake ? wakeRounds : clients);
const named = positionals.length === 0 ? choices : positionals;
const names = values.permission ? ['claude'] : named;
const unknown = names.filter((name) => !choices.includes(name));
const problem =
  unknown.length > 0
    ? `No client '${unknown[0]}'. The clients are: ${choices.join(', ')}.`
    : values.write && positionals.length > 0
      ? '--write replaces the whole table: run all clients with it.'
      : whyNoNamespace();
if (problem !== undefined) {
  console.error(problem);
  process.exit(2);
}
const exitCode = install() || (await build());
if (exitCode !== 0) process.exit(exitCode);

const commands = new Map(names.map((name) => [name, installClient(name, clients[name])]));
// What runs on exit would not run after a signal.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const scratch = mkdtempSync(join(tmpdir(), 'coterie-clients-'));
process.on('exit', () => (values.keep ? console.error(`Kept ${scratch}`) : rmSync(scratch, removal)));
// Connects each with `coterie init`, and lets its model read a mail.
if (values.init) {
  const runner = fileURLToPath(new URL('clients/init.mjs', import.meta.url));
  for (const name of names) {
    const folder = join(scratch, name);
    mkdirSync(folder);
    console.log(name, (await runAlone(process.execPath, [runner, name, folder, ...commands.get(name)])).trim());
  }
  process.exit();
}
if (values.permission) {
  const runner = fileURLToPath(new URL('clients/permission.mjs', import.meta.url));
  console.log(await runAlone(process.execPath, [runner, scratch, ...commands.get('claude')]));
  process.exit();
}
if (values.wake) {
  // One after the other: times are measured.
  const results = [];
  for (const name of names) results.push(await runOne(name, new URL('clients/wake.mjs', import.meta.url)));
  print(wakeTable(results), 'wake-clients.md');
} else {
  console.error('Running them beside each other, about three minutes …');
  print(
    tableOf(await Promise.all(names.map((name) => runOne(name, new URL('clients/run-client.mjs', import.meta.url))))),
    'clients.md',
  );
}

async function runOne(name, script) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  const output = await runAlone(process.execPath, [fileURLToPath(script), name, folder, ...commands.get(name)]);
  if (output === '') process.exitCode = 1;
  return { client: clients[name], seen: output === '' ? {} : JSON.parse(output) };
}

function print(table, page) {
  console.log(table);
  if (!values.write) return;
  const file = join(root, 'docs', page);
  writeTable(file, table);
  process.exitCode ||= runTool('prettier', 'prettier', { args: ['--write', '--log-level', 'warn', file] });
}
