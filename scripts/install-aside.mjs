// Packages that only a script needs, in a folder of their own: they are no dependencies, not even for development.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runNpm } from './install.mjs';

/** A Node for programs that need a newer one than the hub does. */
export const newerNode = {
  name: `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`,
  version: '24.21.0',
  bin: join('bin', process.platform === 'win32' ? 'node.exe' : 'node'),
};

/** The folder appears only when it is complete; what is in its name must say what is in it. Answers npm's exit code. */
export function installAside(folder, packages, options = []) {
  if (existsSync(folder)) return 0;
  mkdirSync(dirname(folder), { recursive: true });
  const unfinished = mkdtempSync(`${folder}.`);
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const named = packages.map(({ name, version }) => `${name}@${version}`);
  const exitCode = runNpm(['install', `--prefix=${unfinished}`, ...quiet, ...options, ...named]);
  if (exitCode === 0) moveInto(folder, unfinished);
  else rmSync(unfinished, { recursive: true, force: true });
  return exitCode;
}

function moveInto(folder, unfinished) {
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another run was faster; its folder is as good.
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true, force: true });
  }
}
