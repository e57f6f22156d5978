// Totals for operators, counted only up to a limit, so that they cost the same however much is stored.
import { limits } from '../../contract/limits.js';
import type { Tallies } from '../../ports/store.js';

/** What a store counts: `copies` up to twice `limits.totals`, `messages` without a count, the others up to `limits.totals`. */
export interface Counted extends Omit<Tallies, 'pending'> {
  /** That have not ended, leased or not. */
  copies: number;
}

/** While fewer copies than the limit are delivered, the rest of the copies suffices to count the pending ones up to the limit. */
export function talliesOf({ copies, ...others }: Counted): Tallies {
  return { ...others, pending: Math.min(limits.totals, copies - others.delivered) };
}
