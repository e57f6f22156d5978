// The loop guard's count of turns between two agents, in the writer's memory.
import { limits } from '../../../contract/limits.js';
import type { SendPlan } from '../../../ports/store.js';
import type { Turn } from '../../../ports/shared-turns.js';
import { findSession } from '../session/sessions.js';
import type { Tx } from '../writer/transaction.js';

export function checkTurn(tx: Tx, { sessionId, sender, at }: SendPlan, other: string): void {
  findSession(tx, sessionId)?.turnsOf(sender, other).check(sender, other, at, limits);
}

export function noteTurn(tx: Tx, turn: Turn): void {
  findSession(tx, turn.sessionId)?.turnsOf(turn.sender, turn.other).note(turn, limits);
}
