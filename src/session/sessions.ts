// create_session, list_sessions and close_session.
import { auditEntry } from '../access/audit-entry.js';
import { decodeCursor, encodeCursor } from '../contract/cursor.js';
import { HubError } from '../contract/errors.js';
import type { closeSession as closeContract } from '../contract/operations/close-session.js';
import type { createSession as createContract } from '../contract/operations/create-session.js';
import type { listSessions as listContract } from '../contract/operations/list-sessions.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import type { Caller } from '../ports/caller.js';
import type { Clock } from '../ports/clock.js';
import type { Ids } from '../ports/ids.js';
import type { Store } from '../ports/store.js';
import type { Wakeup } from '../ports/wakeup.js';
import { sessionOfKey } from './decide-administration.js';
import { viewListed, viewSession } from './view.js';

export interface SessionPorts {
  store: Pick<Store, 'createSession' | 'listSessions' | 'closeSession'>;
  clock: Clock;
  ids: Ids;
  wakeup: Wakeup;
}

export async function createSession(
  { store, clock, ids }: SessionPorts,
  caller: Caller,
  input: InputOf<typeof createContract>,
): Promise<OutputOf<typeof createContract>> {
  const { sessionId = ids.sessionId(), application = null, ttl, annotations } = input;
  const at = clock.now();
  const expiresAt = ttl === undefined ? null : at + Math.round(ttl * 1000);
  const details = { ...(application === null ? {} : { application }), ...(ttl === undefined ? {} : { ttl }) };
  const session = await store.createSession({
    sessionId,
    application,
    annotations,
    expiresAt,
    createdBySession: sessionOfKey(caller),
    at,
    audit: auditEntry(caller, at, 'create_session', sessionId, details),
  });
  return { success: true, session: viewSession(session) };
}

export async function closeSession(
  { store, clock, wakeup }: SessionPorts,
  caller: Caller,
  { sessionId = caller.sessionId, reason: given }: InputOf<typeof closeContract>,
): Promise<OutputOf<typeof closeContract>> {
  const reason = given ?? null;
  const at = clock.now();
  const audit = auditEntry(caller, at, 'close_session', sessionId, reason === null ? {} : { reason });
  const closed = await store.closeSession({ sessionId, bySession: sessionOfKey(caller), reason, at, audit });
  const { session, closedThreads, wasClosed } = closed;
  if (!wasClosed) wakeup.closed(sessionId);
  return { success: true, session: viewSession(session), closedThreads, ...(wasClosed ? { alreadyClosed: true } : {}) };
}

export async function listSessions(
  { store }: SessionPorts,
  caller: Caller,
  { limit, cursor }: InputOf<typeof listContract>,
): Promise<OutputOf<typeof listContract>> {
  const after = cursor === undefined ? null : lastIdOf(cursor);
  const { sessions, hasMore } = await store.listSessions({ bySession: sessionOfKey(caller), limit, after });
  const last = sessions.at(-1);
  return {
    sessions: sessions.map(viewListed),
    hasMore,
    cursor: hasMore && last !== undefined ? encodeCursor({ kind: 'position', after: [last.id] }) : null,
  };
}

function lastIdOf(text: string): string {
  const cursor = decodeCursor(text);
  const [id, ...rest] = cursor?.kind === 'position' ? cursor.after : [];
  if (typeof id === 'string' && !id.includes('\0') && rest.length === 0) return id;
  throw new HubError('INVALID_INPUT', 'cursor: is not a cursor of list_sessions.', {
    hint: 'Use the cursor of the last answer as it was, or leave it out to start over.',
    details: { field: 'cursor' },
  });
}
