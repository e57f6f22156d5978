// What the system says of a process.
import { spawnSync } from 'node:child_process';

/** The columns of `ps` for a process; undefined without it, or where there is no `ps`, as on Windows. */
export function columnsOf(pid: number, columns: string): string | undefined {
  const { status, stdout } = spawnSync('ps', ['-o', columns, '-p', String(pid)], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, and another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
