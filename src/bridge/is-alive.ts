// Whether a process of this machine runs.

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It runs, as somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
