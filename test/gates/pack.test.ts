// The tarball that `npm pack` makes of a fresh clone.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ofAClone = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'scripts',
  'src',
  'web',
  'migrations',
  'LICENSE',
];

// It compiles and bundles everything, which other tests slow down.
it('holds the build though the clone had none, and runs', { tags: ['long'], timeout: 240_000 }, () => {
  const clone = tempFolder();
  for (const name of ofAClone) cpSync(join(root, name), join(clone, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
  execFileSync('npm', ['pack', '--silent'], { cwd: clone });

  const [tarball] = readdirSync(clone).filter((name) => name.endsWith('.tgz'));
  const installed = join(clone, 'installed');
  mkdirSync(installed);
  execFileSync('tar', ['-xzf', join(clone, tarball ?? ''), '-C', installed]);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const command = join(installed, 'package/dist/cli/main.js');
  expect(execFileSync(process.execPath, [command, '--version'], { encoding: 'utf8' })).toContain(version);
  expect(readdirSync(join(installed, 'package/dist/web'))).toEqual(
    expect.arrayContaining(['assets', 'icons', 'index.html', 'manifest.webmanifest', 'sw.js']),
  );
});
