// Whether a session's row says that it is closed.
import type { Closure } from '../../ports/store.js';

export interface ClosureRow {
  closed_at: number | null;
  close_reason: string | null;
}

export function closureOf({ closed_at: at, close_reason: reason }: ClosureRow): Closure | null {
  return at === null ? null : { at, reason };
}
