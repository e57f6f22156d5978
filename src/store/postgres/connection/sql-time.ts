// The time two hubs must agree on, inside a statement: it saves the round trip of asking for it first.
import type { Tx } from './transaction.js';

/** Milliseconds; its parameter is what `sqlTimeOf` gives. The database's clock is read once per statement. */
export const sqlTime = 'coalesce(?::bigint, (select hub_time()))';

/** Null for the database's clock. */
export function sqlTimeOf(tx: Tx, hubMs: number): number | null {
  return tx.usesHubTime ? hubMs : null;
}
