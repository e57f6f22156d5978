// Runs a command in a process group of its own, and ends all of it: with SIGTERM, then with SIGKILL.
import { spawn } from 'node:child_process';

export interface CommandRun {
  readonly pid: number;
  /** Undefined after exit code 0, else why it failed. */
  readonly ended: Promise<string | undefined>;
  /** Ends it; `why` is what is said of it. */
  end(why: string): void;
}

/** From SIGTERM to SIGKILL. */
const graceMs = 5_000;

/** Without a shell. It has no stdin, and this process's stdout and stderr. Undefined if the program cannot be started. */
export async function runCommand([program = '', ...args]: readonly string[]): Promise<CommandRun | { failed: string }> {
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: true });
  let why: string | undefined;
  let killTimer: NodeJS.Timeout | undefined;
  const ended = new Promise<string | undefined>((resolve) => {
    child.once('exit', (code, signal) => {
      clearTimeout(killTimer);
      // What it started, and left behind, would be a second flight.
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
      const reason = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
      resolve(why ?? (code === 0 ? undefined : `${program} ${reason}`));
    });
  });
  const started = await new Promise<Error | undefined>((resolve) => {
    child.once('spawn', () => resolve(undefined));
    child.once('error', resolve);
  });
  if (started !== undefined || child.pid === undefined) {
    return { failed: `${program} cannot be started: ${errorCode(started)}` };
  }
  const { pid } = child;
  return {
    pid,
    ended,
    end(reason) {
      if (why !== undefined) return;
      why = `${program} ${reason}`;
      killTimer = endGroup(pid);
    },
  };
}

/** The timer of its second signal. */
export function endGroup(pid: number): NodeJS.Timeout {
  signalGroup(pid, 'SIGTERM');
  return setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMs);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // It is gone.
  }
}

function errorCode(error: Error | undefined): string {
  return error !== undefined && 'code' in error ? String(error.code) : 'unknown';
}
