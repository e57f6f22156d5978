// What a closed session refuses, and which session cannot be closed. Pure.
import { HubError } from '../contract/errors.js';
import { defaultSessionId } from '../contract/ids.js';
import type { Closure } from '../ports/store.js';

/** The summary of threads that end with their session. */
export const summaryWithoutReason = 'The session was closed.';

export function sessionClosed(sessionId: string, { at, reason }: Closure): HubError {
  const why = reason === null ? '' : `: ${reason.replace(/\.$/, '')}`;
  return new HubError('SESSION_CLOSED', `The session '${sessionId}' is closed${why}.`, {
    hint: 'Stop waiting and sending here. Its threads, history and unread messages can still be read. Work goes on in another session.',
    details: { sessionId, closedAt: new Date(at).toISOString(), ...(reason === null ? {} : { reason }) },
  });
}

/** Whoever names no session is there. */
export function requireMayClose(sessionId: string): void {
  if (sessionId !== defaultSessionId) return;
  throw new HubError('FORBIDDEN', `The session '${defaultSessionId}' cannot be closed.`, {
    hint: 'It is where callers are who name no session. Use create_session for work that ends, and close that one.',
    details: { sessionId },
  });
}

export function sessionTaken(sessionId: string): HubError {
  return new HubError('SESSION_TAKEN', `There is a session '${sessionId}' already.`, {
    hint: 'Choose another sessionId, or leave it out: then the hub makes one.',
    details: { sessionId },
  });
}
