// Escalations: who was not woken in time, so that people are asked on the sender's behalf.
import { messageIdOf } from '../../../contract/ids.js';
import { limits } from '../../../contract/limits.js';
import type { DueEscalation, WakeStore } from '../../../ports/wake.js';
import {
  countEscalations,
  dueEscalations,
  insertEscalation,
  isUnread,
  moveEscalation,
  pruneEscalations,
  type EscalationRow,
} from '../../sql/escalations.js';
import { lastWake } from '../../sql/wakes.js';
import { closureOf, saltOf } from '../sessions.js';
import type { Statements } from '../statements.js';
import type { Steps } from '../steps.js';

const dayMs = 86_400_000;
/** How soon an open wake is looked at again. */
const againMs = 2_000;

export function* addEscalations(
  tx: Statements,
  { sessionId, sender, seq, recipients, now, afterMs }: Parameters<WakeStore['addEscalations']>[0],
): Steps<{ leftOut: number }> {
  const at = yield* tx.sharedTime(now);
  const known = yield* tx.agentFacts(sessionId, recipients);
  const agents = recipients.filter((id) => known.get(id)?.kind === 'agent');
  const room = Math.max(0, limits.escalations - (yield* countEscalations(tx, { sessionId, sender })));
  for (const agentId of agents.slice(0, room)) {
    yield* pruneEscalations(tx, { sessionId, agentId }, at - dayMs);
    yield* insertEscalation(tx, { sessionId, agentId, seq, sender, createdAt: at, dueAt: at + afterMs });
  }
  return { leftOut: Math.max(0, agents.length - room) };
}

export function* takeEscalations(
  tx: Statements,
  { now, holdMs, limit }: Parameters<WakeStore['takeEscalations']>[0],
): Steps<DueEscalation[]> {
  const at = yield* tx.sharedTime(now);
  const taken: DueEscalation[] = [];
  for (const row of yield* dueEscalations(tx, { now: at, limit })) {
    const next = yield* fateOf(tx, row);
    const dueAt = next === 'ended' ? null : next === 'later' ? at + againMs : at + holdMs;
    // Another hub may have taken it.
    if (!(yield* moveEscalation(tx, row, dueAt)) || next !== 'due') continue;
    const { sessionId, agentId, seq, sender, createdAt } = row;
    taken.push({
      sessionId,
      agentId,
      seq,
      sender,
      createdAt,
      messageId: messageIdOf(seq, yield* saltOf(tx, sessionId)),
    });
  }
  return taken;
}

/** A message that was read, or a wake that was confirmed, needs no person. */
function* fateOf(tx: Statements, row: EscalationRow): Steps<'ended' | 'later' | 'due'> {
  if ((yield* closureOf(tx, row.sessionId)) !== null) return 'ended';
  if (!(yield* isUnread(tx, row))) return 'ended';
  const last = yield* lastWake(tx, row);
  if (last?.state === 'open') return 'later';
  return last?.state === 'confirmed' && (last.endedAt ?? 0) >= row.createdAt ? 'ended' : 'due';
}

export function* escalationsDue(tx: Statements, { now }: { now: number }): Steps<boolean> {
  return (yield* dueEscalations(tx, { now: yield* tx.sharedTime(now), limit: 1 })).length > 0;
}
