// Which sessions an administrator administers. Pure: the store calls it in its transaction.
import { sessionUnknown } from '../access/decide-key.js';
import { defaultSessionId } from '../contract/ids.js';
import type { Caller } from '../ports/caller.js';
import type { SessionRecord } from '../ports/store.js';

/** By which a caller administers; null in open mode. */
export function sessionOfKey({ grant }: Caller): string | null {
  return grant?.sessionId ?? null;
}

/**
 * Its own session, and those that keys of its session created. `bySession` is null in open mode, for the command line and
 * for the hub itself, which administer all.
 */
function administers(
  bySession: string | null,
  { id, createdBySession }: Pick<SessionRecord, 'id' | 'createdBySession'>,
): boolean {
  return bySession === null || id === bySession || createdBySession === bySession;
}

/** A foreign session is refused like one that does not exist. */
export function requireAdministered<Session extends Pick<SessionRecord, 'id' | 'createdBySession'>>(
  bySession: string | null,
  sessionId: string,
  session: Session | null | undefined,
): Session {
  if (session === undefined || session === null || !administers(bySession, session)) throw sessionUnknown(sessionId);
  return session;
}

/** Whoever creates a session administers it. `default` is the hub's own, also before its first use. */
export function mayCreate(bySession: string | null, sessionId: string): boolean {
  return bySession === null || sessionId !== defaultSessionId;
}
