// The time that hubs must agree on, inside a statement: this saves the round trip for reading it first.
import type { Tx } from './transaction.js';

/** In milliseconds; its parameter is `sqlTimeOf`. The database's clock is read once per statement. */
export const sqlTime = 'coalesce(?::bigint, (select hub_time()))';

/** Null for the database's clock. */
export function sqlTimeOf(tx: Tx, hubMs: number): number | null {
  return tx.usesHubTime ? hubMs : null;
}
