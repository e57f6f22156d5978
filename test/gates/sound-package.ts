// A small package in a temporary folder that passes every gate, under the project's own settings and scripts: a copy
// of the rules made for the test would prove nothing about the rules.
import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

interface ScriptResult {
  readonly exitCode: number | null;
  readonly output: string;
}

export interface SoundPackage {
  readonly folder: string;
  write(path: string, source: string): void;
  remove(path: string): void;
  /** Runs one of the project's scripts in this package. */
  run(script: string, ...args: string[]): Promise<ScriptResult>;
  discard(): void;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

const copied = [
  'package-lock.json',
  'tsconfig.json',
  'test/tsconfig.json',
  'scripts',
  '.oxlintrc.json',
  '.prettierrc.json',
  '.prettierignore',
  'knip.json',
  'LICENSE',
];

const tools = /^(@types\/node|knip|oxlint|oxlint-tsgolint|prettier|publint|typescript|vite|vitest)$/;

/** The scripts for what so small a package has not: tests on a database, in a browser or with other clients, and benches. */
const notCopied =
  /[\\/]scripts[\\/](apt-get\.mjs$|chromium\.mjs$|clients(\.mjs|[\\/]|$)|postgres(\.mjs|[\\/]|$)|power-cut(\.mjs|[\\/]|$)|proxies\.mjs$|screenshots(\.mjs|[\\/]|$)|trace-send\.mjs$|trace[\\/])/;

const sources = {
  'vitest.config.ts': `import { defineConfig } from 'vitest/config';\n\nexport default defineConfig({});\n`,
  'src/index.ts': `export async function greet(): Promise<string> {\n  return 'hello';\n}\n`,
  'src/client/index.ts': `export const client = 1;\n`,
  'src/contract/index.ts': `export const contract = 1;\n`,
  'src/files/index.ts': `export const files = 1;\n`,
  'src/format/index.ts': `export const format = 1;\n`,
  'src/cli/main.ts': `#!/usr/bin/env node\nexport function main(): void {\n  console.log('hello');\n}\n`,
  'test/greet.test.ts': `import { greet } from '../dist/index.js';\n\nconst greeting: string = await greet();\nconsole.log(greeting);\n`,
};

export function makeSoundPackage(): SoundPackage {
  // Resolved, because the system's temporary folder may be a link, and tools compare paths as text.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'coterie-gates-')));

  function write(path: string, source: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), source);
  }

  const filter = (path: string) => !notCopied.test(path);
  for (const name of copied) cpSync(join(root, name), join(folder, name), { recursive: true, filter });
  // A junction is the link that Windows lets everybody make; other systems do not look at the word.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  write('package.json', describePackage());
  for (const [path, source] of Object.entries(sources)) write(path, source);

  return {
    folder,
    write,
    remove: (path) => rmSync(join(folder, path), { recursive: true }),
    run: (script, ...args) => runNode([join(folder, 'scripts', script), ...args]),
    discard: () => rmSync(folder, { recursive: true, force: true }),
  };
}

// Without the dependencies that so small a package has no use for, which is a fault of its own.
function describePackage(): string {
  const description = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  description.dependencies = {};
  description.devDependencies = Object.fromEntries(
    Object.entries(description.devDependencies).filter(([name]) => tools.test(name)),
  );
  return `${JSON.stringify(description, null, 2)}\n`;
}

async function runNode(args: string[]): Promise<ScriptResult> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const exitCode = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { exitCode: await exitCode, output: stdout + stderr };
}
