// The loop guard's count of turns between two agents, in the hub's memory; each turn is published to the other hubs.
import { limits } from '../../../contract/limits.js';
import type { SendPlan } from '../../../ports/store.js';
import type { Turn } from '../../../ports/shared-turns.js';
import type { Tx } from '../connection/transaction.js';

export function checkTurn(tx: Tx, { sessionId, sender, at }: SendPlan, other: string): void {
  tx.hubMemory.turnsOf(sessionId, sender, other).check(sender, other, at, limits);
}

export function noteTurn(tx: Tx, turn: Turn): void {
  tx.hubMemory.noteTurn(turn);
}
