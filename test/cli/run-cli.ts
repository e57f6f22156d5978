// The built command as a person or a program runs it: a process with arguments, an environment and pipes.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { cleanUpAfter } from '../support/clean-up.js';
import { eventually } from '../support/eventually.js';
import { cliPath } from '../support/hub-process.js';

export interface Ended {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: NodeJS.ProcessEnv;
  stdin?: string;
  cwd?: string;
}

/** Of the test's own environment only what a process needs: a colour or a hub set there must not decide a test. */
export function cleanEnv(env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^COTERIE_|COLOR|^TERM$|^TZ$|^VITEST/.test(name));
  return { ...Object.fromEntries(kept), TZ: 'UTC', ...env };
}

export interface Running {
  child: ChildProcessWithoutNullStreams;
  stdout(): string;
  stderr(): string;
  /** Resolves when the output has come to this. */
  shows(form: RegExp): Promise<void>;
  /** Ends it and waits until it is gone. */
  end(signal?: NodeJS.Signals): Promise<Ended>;
}

export function startCli(args: readonly string[], { env, stdin, cwd }: RunOptions = {}): Running {
  const child = spawn(process.execPath, [cliPath, ...args], {
    env: cleanEnv(env),
    ...(cwd === undefined ? {} : { cwd }),
  });
  // By the test's end alone: a companion or a hub may be needed for as long as its test takes.
  cleanUpAfter(() => child.kill('SIGKILL'));
  const seen = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (seen.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (seen.stderr += chunk));
  // A command that does not read its stdin may be gone before it is written.
  child.stdin.on('error', () => {});
  if (stdin !== undefined) child.stdin.end(stdin);
  const closed = once(child, 'close');
  return {
    child,
    stdout: () => seen.stdout,
    stderr: () => seen.stderr,
    async shows(form) {
      await eventually(`${form} in the output of coterie ${args.join(' ')}`, () =>
        form.test(seen.stdout + seen.stderr),
      );
    },
    async end(signal) {
      if (signal !== undefined) child.kill(signal);
      await closed;
      return { exitCode: child.exitCode, ...seen };
    },
  };
}

/** Runs a command that ends by itself. Its stdin is at its end unless there is something in it. */
export function runCli(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return startCli(args, { stdin: '', ...options }).end();
}

/** The output of a command that must succeed. */
export async function output(args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { exitCode, stdout, stderr } = await runCli(args, options);
  if (exitCode !== 0) throw new Error(`coterie ${args.join(' ')} ended with ${exitCode}: ${stderr}`);
  return stdout;
}

// Tests read the fields they promise; a wrong one fails the assertion.
// oxlint-disable-next-line typescript/no-explicit-any
export async function json(args: readonly string[], options: RunOptions = {}): Promise<any> {
  return JSON.parse(await output([...args, '--json'], options));
}
