// The client that started this hook or monitor. It may end without telling: a companion without its client must not take wakes.
import { columnsOf, isAlive } from './process-table.js';

const shells = /^-?(?:.*\/)?(?:sh|dash|bash|zsh|ksh|fish|env|npx|npm exec.*)$/;
const generationsMax = 6;
const lookEveryMs = 1_000;

/** The nearest ancestor that is not the shell of a command line; undefined if it cannot be told. */
export function clientPid(): number | undefined {
  let pid = process.ppid;
  for (let generation = 0; generation < generationsMax && pid > 1; generation += 1) {
    const found = parentOf(pid);
    if (found === undefined) return undefined;
    if (!shells.test(found.command)) return pid;
    pid = found.parent;
  }
  return undefined;
}

function parentOf(pid: number): { parent: number; command: string } | undefined {
  const [, parent, command = ''] = /^(\d+)\s+(.*)$/.exec(columnsOf(pid, 'ppid=,comm=') ?? '') ?? [];
  return parent === undefined ? undefined : { parent: Number(parent), command };
}

/** Calls once when the client is gone. */
export function whenClientEnds(then: () => void): void {
  const pid = clientPid();
  if (pid === undefined) return;
  const timer = setInterval(() => {
    if (isAlive(pid)) return;
    clearInterval(timer);
    then();
  }, lookEveryMs);
  timer.unref();
}
