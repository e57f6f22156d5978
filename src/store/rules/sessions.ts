// In open mode, the first use of a session creates it.
import { HubError } from '../../contract/errors.js';
import { defaultGroups } from '../../contract/ids.js';
import { limits } from '../../contract/limits.js';
import { senderUnknown } from '../../message/send/route.js';
import type { Statements } from './statements.js';
import type { Steps } from './steps.js';

export function* ensureSession(tx: Statements, sessionId: string, at: number): Steps<void> {
  if ((yield* tx.findSession(sessionId)) !== undefined) return;
  const count = yield* tx.countSessions();
  if (count >= limits.sessions) {
    throw new HubError('LIMIT_REACHED', `This hub already has ${count} sessions, the most allowed.`, {
      hint: 'Use one of the existing sessions.',
      details: { limit: limits.sessions },
    });
  }
  yield* tx.insertSession(sessionId, { at, groups: defaultGroups });
}

export function* isRegistered(tx: Statements, sessionId: string, id: string): Steps<boolean> {
  return (yield* tx.agentFacts(sessionId, [id])).has(id);
}

export function* requireAgent(tx: Statements, sessionId: string, id: string): Steps<void> {
  if (!(yield* isRegistered(tx, sessionId, id))) throw senderUnknown(id);
}

/** Message ids are derived from it. */
export function* saltOf(tx: Statements, sessionId: string): Steps<number> {
  return (yield* tx.findSession(sessionId))?.salt ?? 0;
}
