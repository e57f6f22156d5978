// Runs real clients against the hub, with a scripted model in place of theirs, and prints what model and person were shown:
// `npm run clients -- claude codex`, all five without names. `--write` puts the table into docs/clients.md, `--keep` keeps the
// logs. `--permission` shows what Claude Code does with `coterie hook permission`. Each runs alone in a network of loopback only, so this needs root on Linux; the packages are installed before.
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
import { install } from './install.mjs';
import { root, runTool } from './tool.mjs';

const removal = { recursive: true, force: true, maxRetries: 5 };

const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean' }, keep: { type: 'boolean' }, permission: { type: 'boolean' } },
  allowPositionals: true,
});
const named = positionals.length === 0 ? Object.keys(clients) : positionals;
const names = values.permission ? ['claude'] : named;
const unknown = names.filter((name) => !Object.hasOwn(clients, name));
const problem =
  unknown.length > 0
    ? `No client '${unknown[0]}'. The clients are: ${Object.keys(clients).join(', ')}.`
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
if (values.permission) {
  const runner = fileURLToPath(new URL('clients/permission.mjs', import.meta.url));
  console.log(await runAlone(process.execPath, [runner, scratch, ...commands.get('claude')]));
  process.exit();
}
console.error('Running them beside each other, about three minutes …');
const table = tableOf(await Promise.all(names.map(runOne)));
console.log(table);
if (values.write) writeDocs();

async function runOne(name) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  const runner = fileURLToPath(new URL('clients/run-client.mjs', import.meta.url));
  const output = await runAlone(process.execPath, [runner, name, folder, ...commands.get(name)]);
  if (output === '') process.exitCode = 1;
  return { client: clients[name], seen: output === '' ? {} : JSON.parse(output) };
}

function writeDocs() {
  const file = join(root, 'docs', 'clients.md');
  writeTable(file, table);
  process.exitCode ||= runTool('prettier', 'prettier', { args: ['--write', '--log-level', 'warn', file] });
}
