// Appends many messages in one round trip. Who receives them is found beforehand, by what this hub remembers; the
// database takes them only if that is still true.
import { HubError } from '../../contract/errors.js';
import { messageIdOf } from '../../contract/ids.js';
import { limits } from '../../contract/limits.js';
import { requireSameRequest } from '../../message/decide-retry.js';
import { lanes } from '../../message/route.js';
import type { AppendResult, SendPlan } from '../../ports/store.js';
import { keyText } from './idempotency.js';
import { roomsUpTo } from './inbox-room.js';
import { appendedAs, messageColumnsOf } from './insert-message.js';
import { routeSend, type RoutedSend } from './route-send.js';
import { packAnswer, unpackAnswer } from './send-answer.js';
import type { SessionMemory } from './hub-memory.js';
import type { Tx } from './transaction.js';

/** A send that a batch can take: routed, and its readers have room. */
export interface Planned {
  plan: SendPlan;
  routed: RoutedSend;
  session: SessionMemory;
  /** The seq up to which all its readers' inboxes have room. */
  roomUpTo: number;
}

interface Row {
  o: number;
  outcome: 'new' | 'known' | 'stale';
  seq: number | null;
  hash: string | null;
  result: string | null;
  unread: number;
}

/** Null when it must be looked at under the lock: something about it is rare, or it would be refused. */
export async function planForBatch(tx: Tx, plan: SendPlan): Promise<Planned | null> {
  if (plan.attachments !== null) return null;
  const session = await recallSession(tx, plan.sessionId);
  if (session === undefined) return null;
  try {
    const routed = await routeSend(tx, plan);
    const { found } = routed;
    // It may be an answer in a critical thread.
    if (found.urgent && found.threadId !== null) return null;
    const waking = found.recipients.flatMap(({ id, isWaking }) => (isWaking ? [id] : []));
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
  const row = await tx.get<{ salt: number; version: number }>(
    'select salt, version from session where id = ?',
    sessionId,
  );
  if (row === undefined) return undefined;
  const memory = tx.hubMemory.sessionAt(sessionId, row.salt, row.version);
  tx.rememberSession(sessionId, memory);
  return memory;
}

/** One result for each; null for those whose session had changed meanwhile. */
export async function appendBatch(tx: Tx, batch: readonly Planned[]): Promise<(AppendResult | HubError | null)[]> {
  const sessions = sessionsOf(batch);
  const rows = await tx.all<Row>(
    'select o, outcome, seq, hash, result, unread from append_messages(?, ?, ?, ?::json, ?::json, ?)',
    [...sessions.keys()],
    Array.from(sessions.values(), ({ version }) => version),
    Array.from(sessions.values(), ({ room }) => room),
    JSON.stringify(batch.map(messageOf)),
    JSON.stringify(batch.flatMap(copiesOf)),
    tx.origin,
  );
  const byPlace = new Map(rows.map((row) => [row.o, row]));
  return batch.map((planned, place) => resultOf(tx, planned, byPlace.get(place)));
}

/** By what version each was planned, and up to which seq all its readers have room. */
function sessionsOf(batch: readonly Planned[]): Map<string, { version: number; room: number }> {
  const sessions = new Map<string, { version: number; room: number }>();
  for (const { plan, session, roomUpTo } of batch) {
    const known = sessions.get(plan.sessionId);
    const room = Math.min(roomUpTo, known?.room ?? roomUpTo);
    // Planned before and after a change in one batch: then the older one decides.
    const version = Math.min(session.version, known?.version ?? session.version);
    sessions.set(plan.sessionId, { version, room });
  }
  return sessions;
}

/** What is null is left out: the database fills it in. */
function messageOf({ plan, routed: { found, author } }: Planned, place: number): object {
  const message: Record<string, unknown> = { o: place, s: plan.sessionId, f: plan.sender };
  const columns = messageColumnsOf(plan, found, author);
  for (const [name, value] of Object.entries(columns)) if (value !== null) message[name] = value;
  if (plan.key === null) return message;
  const answer = packAnswer(appendedAs(plan, found, { ...noPlace, recipients: found.recipients }));
  return Object.assign(message, { k: keyText(plan.key.key), h: plan.key.hash, x: plan.key.expiresAt, r: answer });
}

function copiesOf({ plan, routed: { found } }: Planned, place: number): object[] {
  const receipt = plan.wantsReceipt ? { w: 1 } : {};
  return found.recipients.map(({ id, why, isWaking }) => {
    return { o: place, a: id, l: isWaking ? lanes.waking : lanes.plain, y: why, ...receipt };
  });
}

/** The database gives it. */
const noPlace = { seq: 0, id: '', undelivered: [] };

function resultOf(tx: Tx, planned: Planned, row: Row | undefined): AppendResult | HubError | null {
  if (row === undefined || row.outcome === 'stale') return null;
  const { plan, session } = planned;
  if (row.outcome === 'new' && row.seq !== null)
    return { appended: appendedWith(tx, planned, row.seq), senderUnread: unreadOf(planned, row) };
  try {
    if (plan.key !== null) requireSameRequest(plan.key, row.hash ?? '');
    const appended = unpackAnswer(row.result ?? '{}', { seq: row.seq ?? 0, salt: session.salt, sender: plan.sender });
    return { appended, senderUnread: row.unread };
  } catch (error) {
    if (error instanceof HubError) return error;
    throw error;
  }
}

/** Counted before the batch: what one sends to oneself comes on top. */
function unreadOf({ plan, routed: { found } }: Planned, row: Row): number {
  return row.unread + found.recipients.filter(({ id, isWaking }) => isWaking && id === plan.sender).length;
}

/** Stored under this seq. */
export function appendedWith(tx: Tx, { plan, routed, session }: Planned, seq: number) {
  routed.turns?.note(plan.sender, plan.at, limits);
  tx.hubMemory.sawSeq(plan.sessionId, seq);
  const { found } = routed;
  const id = messageIdOf(seq, session.salt);
  return appendedAs(plan, found, { seq, id, recipients: found.recipients, undelivered: [] });
}
