// Whether a batch can take a send, and to whom it goes: by what this hub remembers of the session, and where that is not
// enough by asking. Nothing is written.
import { HubError } from '../../../contract/errors.js';
import { limits } from '../../../contract/limits.js';
import type { SendPlan } from '../../../ports/store.js';
import { routeKnown, routeSend, type RoutedSend } from '../../rules/route-send.js';
import { runAwaited } from '../../rules/steps.js';
import type { HubMemory, SessionMemory } from '../connection/hub-memory.js';
import { roomsUpTo } from './inbox-room.js';

import type { Tx } from '../connection/transaction.js';

/** A send that a batch can take: routed, and its readers have room. */
export interface Planned {
  plan: SendPlan;
  routed: RoutedSend;
  session: SessionMemory;
  /** The seq up to which all its readers' inboxes have room. */
  roomUpTo: number;
}

/** Undefined when something must be asked for first. At once, because most sends are to whom the hub knows. */
export function planByMemory(memory: HubMemory, plan: SendPlan): Planned | undefined {
  const session = memory.session(plan.sessionId);
  if (session === undefined || plan.attachments !== null) return undefined;
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

/** Null when it must be looked at under the lock: something about it is rare, or it would be refused. */
export async function planForBatch(tx: Tx, plan: SendPlan): Promise<Planned | null> {
  if (plan.attachments !== null) return null;
  const session = await recallSession(tx, plan.sessionId);
  if (session === undefined) return null;
  try {
    const routed = await runAwaited(routeSend(tx.statements, plan));
    if (mayBeAnswer(routed)) return null;
    const waking = routed.route.recipients.flatMap(({ id, isWaking }) => (isWaking ? [id] : []));
    const rooms = await roomsUpTo(tx, plan.sessionId, waking);
    const room = Math.min(Number.MAX_SAFE_INTEGER, ...rooms.values());
    return room === 0 ? null : { plan, routed, session, roomUpTo: room };
  } catch (error) {
    // What this hub remembers may be old: a refusal is told under the lock only.
    if (error instanceof HubError) return null;
    throw error;
  }
}

/** The session as this hub remembers it, or as it is now. Facts are read after the version, so they are never older. */
async function recallSession(tx: Tx, sessionId: string): Promise<SessionMemory | undefined> {
  const known = tx.session(sessionId) ?? tx.hubMemory.session(sessionId);
  if (known !== undefined) {
    tx.rememberSession(sessionId, known);
    return known;
  }
  const row = await tx.get<{ salt: number; version: number }>('select salt, version from session where id = ?', [
    sessionId,
  ]);
  if (row === undefined) return undefined;
  const memory = tx.hubMemory.sessionAt(sessionId, row.salt, row.version);
  tx.rememberSession(sessionId, memory);
  return memory;
}

/** In a critical thread, where answers are noted under the lock. */
function mayBeAnswer({ route }: RoutedSend): boolean {
  return route.urgent && route.threadId !== null;
}
