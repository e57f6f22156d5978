// Why a wait ended before the time that was asked for.

export function shortened(clampedToMs: number | undefined): string {
  return clampedToMs === undefined
    ? ''
    : ` (this call was shortened to ${clampedToMs} ms, below your client's own timeout)`;
}
