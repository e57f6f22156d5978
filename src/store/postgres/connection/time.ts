// The time that hubs must agree on: that of the database, unless a test uses the hub's clock.
import type { Tx } from './transaction.js';

export async function timeOf(tx: Tx, hubMs: number): Promise<number> {
  if (tx.usesHubTime) return hubMs;
  tx.databaseTime ??= (await tx.get<{ ms: number }>('select hub_time() as ms'))?.ms ?? hubMs;
  return tx.databaseTime;
}
