// Runs a command that ends by itself, and says how a refusal at the start must look.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { cliPath } from '../support/hub-process.js';
import { tempFolder } from '../support/temp-folder.js';

export const folder = tempFolder();

interface Finished {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command that is expected to end by itself; one that does not is killed and shows as exit code null. */
export async function coterie(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
  const child = spawn(process.execPath, [cliPath, ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 50_000,
    killSignal: 'SIGKILL',
  });
  const finished: Finished = { exitCode: null, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (finished.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (finished.stderr += chunk.toString()));
  await once(child, 'close');
  finished.exitCode = child.exitCode;
  return finished;
}

export function writeConfig(config: unknown): string {
  const path = join(folder, 'config.json');
  writeFileSync(path, typeof config === 'string' ? config : JSON.stringify(config));
  return path;
}

/** A refusal at start: code and message on the first line of stderr, the hint on the next, nothing on stdout. */
export function expectRefused(finished: Finished, exitCode: number, code: string, says: RegExp): void {
  const [first = '', hint = '', ...more] = finished.stderr.trimEnd().split('\n');
  expect(finished).toMatchObject({ exitCode, stdout: '' });
  expect(first).toMatch(new RegExp(`^${code}: .+`));
  expect(hint).not.toBe('');
  expect(more).toEqual([]);
  expect(finished.stderr).toMatch(says);
}
