// Routes a send and decides whether it can go into a batch, with the cached facts of this hub; missing facts are read.
// Writes nothing.
import { HubError } from '../../../contract/errors.js';
import { limits } from '../../../contract/limits.js';
import type { SendPlan } from '../../../ports/store.js';
import { routeKnown, routeSend, type RoutedSend } from '../../rules/route-send.js';
import { runAwaited } from '../../rules/steps.js';
import type { HubMemory, SessionMemory } from '../connection/hub-memory.js';
import { roomsUpTo } from './inbox-room.js';
import { cachedOrCurrentSession } from '../session/sessions.js';
import type { Tx } from '../connection/transaction.js';

/** A send that can go into a batch: routed, and its recipients have room. */
export interface Planned {
  plan: SendPlan;
  routed: RoutedSend;
  session: SessionMemory;
  /** The seq up to which the inboxes of all its recipients have room. */
  roomUpTo: number;
}

/** Undefined when a fact must be read first. Synchronous, because most sends need only cached facts. */
export function planByMemory(memory: HubMemory, plan: SendPlan): Planned | undefined {
  const session = memory.session(plan.sessionId);
  if (session === undefined || session.closure !== null || plan.attachments !== null) return undefined;
  try {
    const routed = routeKnown(session, plan);
    if (routed === undefined || mayBeAnswer(routed)) return undefined;
    const { sessionId, sender, at } = plan;
    const { turnWith } = routed;
    if (turnWith !== undefined) memory.turnsOf(sessionId, sender, turnWith).check(sender, turnWith, at, limits);
    const lastSeq = memory.lastSeq(plan.sessionId);
    let roomUpTo = Number.MAX_SAFE_INTEGER;
    for (const { id, isWaking } of routed.route.recipients) {
      if (isWaking) roomUpTo = Math.min(roomUpTo, session.roomUpTo.get(id) ?? 0);
    }
    return roomUpTo > lastSeq ? { plan, routed, session, roomUpTo } : undefined;
  } catch (error) {
    if (error instanceof HubError) return undefined;
    throw error;
  }
}

/** Null when it must run under the order lock: it is a rare case, or would be refused. */
export async function planForBatch(tx: Tx, plan: SendPlan): Promise<Planned | null> {
  if (plan.attachments !== null) return null;
  const session = await cachedOrCurrentSession(tx, plan.sessionId);
  if (session === undefined || session.closure !== null) return null;
  try {
    const routed = await runAwaited(routeSend(tx.statements, plan));
    if (mayBeAnswer(routed)) return null;
    const waking = routed.route.recipients.flatMap(({ id, isWaking }) => (isWaking ? [id] : []));
    const rooms = await roomsUpTo(tx, plan.sessionId, waking);
    const room = Math.min(Number.MAX_SAFE_INTEGER, ...rooms.values());
    return room === 0 ? null : { plan, routed, session, roomUpTo: room };
  } catch (error) {
    // The cached facts may be stale: refusals are decided only under the lock.
    if (error instanceof HubError) return null;
    throw error;
  }
}

/** In a critical thread, where answers are recorded under the order lock. */
function mayBeAnswer({ route }: RoutedSend): boolean {
  return route.urgent && route.threadId !== null;
}
