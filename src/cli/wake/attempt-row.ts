// An attempt to wake, in the columns route, state, time and reason.
import type { AttemptView } from '../../contract/wake.js';
import { oneLine } from '../show/printable.js';
import { shortSpan } from '../show/short-time.js';

export function attemptRow({ kind, state, attemptedAt, endedAt, reason = '' }: AttemptView): string[] {
  const took = endedAt === undefined ? '' : shortSpan((Date.parse(endedAt) - Date.parse(attemptedAt)) / 1_000);
  return [kind, state, took, oneLine(reason)];
}
