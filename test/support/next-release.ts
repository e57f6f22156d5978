// A release after this one, as a folder of its own: what is built here, and more migrations.
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tempFolder } from './temp-folder.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface NextRelease {
  folder: string;
  /** Its command line, as dist/cli/main.js is this one's. */
  script: string;
}

/** The migrations come after this release's own, for both stores alike. */
export function makeNextRelease(...migrations: readonly string[]): NextRelease {
  const folder = tempFolder();
  for (const part of ['dist', 'migrations']) cpSync(join(root, part), join(folder, part), { recursive: true });
  const manifest: object = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, version: '99.0.0' }));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [index, sql] of migrations.entries()) {
    const name = `${String(firstNext + index).padStart(4, '0')}_next.sql`;
    for (const store of ['sqlite', 'postgres']) writeFileSync(join(folder, 'migrations', store, name), sql);
  }
  return { folder, script: join(folder, 'dist', 'cli', 'main.js') };
}

/** This release's migrations are far below. */
export const firstNext = 9_000;
