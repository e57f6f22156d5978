// Runs the tools of node_modules with this same Node and without a shell, so that every system behaves alike.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Whether the module with this url is the file that Node was asked to run, and not imported by another. */
export function isEntry(moduleUrl) {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(moduleUrl);
}

/** Runs `bin` of the installed package and answers its exit code; `stdout` may name another stream's number. */
export function runTool(packageName, bin, { args, stdout = 'inherit' }) {
  const command = [scriptOf(packageName, bin), ...args];
  return exitCodeOf(spawnSync(process.execPath, command, { cwd: root, stdio: ['inherit', stdout, 'inherit'] }));
}

/** The same beside others: resolves with the exit code and all it wrote. */
export async function runToolBeside(packageName, bin, args) {
  const child = spawn(process.execPath, [scriptOf(packageName, bin), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const exitCode = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
  return { exitCode, output };
}

function scriptOf(packageName, bin) {
  const folder = join(root, 'node_modules', packageName);
  const bins = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).bin;
  return join(folder, typeof bins === 'string' ? bins : bins[bin]);
}

/** A child that could not start is a broken installation: say so loudly; one ended by a signal has failed. */
export function exitCodeOf(result) {
  if (result.error) throw result.error;
  return result.status ?? 1;
}
