// Sessions are created by their first use in open mode, or by an administrator; a closed one refuses changes.
import { HubError } from '../../contract/errors.js';
import { defaultGroups } from '../../contract/ids.js';
import { limits } from '../../contract/limits.js';
import { sessionClosed } from '../../session/decide-closing.js';
import { beingImported } from '../../session/transfer/decide-import.js';
import { findImportRun } from '../sql/import-runs.js';
import { senderUnknown } from '../../message/send/route.js';
import type { Closure } from '../../ports/store.js';
import type { Statements } from './statements.js';
import type { Steps } from './steps.js';

export function* ensureSession(tx: Statements, sessionId: string, at: number): Steps<void> {
  if ((yield* tx.findSession(sessionId)) !== undefined) return;
  yield* tx.lockName(sessionId);
  yield* requireNotImported(tx, sessionId);
  yield* requireRoomForSession(tx);
  yield* tx.insertSession(sessionId, { ...withoutProfile, at, groups: defaultGroups });
}

/** Until its last step an import has rows of a session that is not there yet. The name must be locked. */
export function* requireNotImported(tx: Statements, sessionId: string): Steps<void> {
  if ((yield* findImportRun(tx, sessionId)) !== undefined) throw beingImported(sessionId);
}

const withoutProfile = { application: null, annotations: {}, expiresAt: null, createdBySession: null };

export function* requireRoomForSession(tx: Statements): Steps<void> {
  const count = yield* tx.countSessions();
  if (count >= limits.sessions) {
    throw new HubError('LIMIT_REACHED', `This hub already has ${count} sessions, the most allowed.`, {
      hint: 'Use one of the existing sessions.',
      details: { limit: limits.sessions },
    });
  }
}

export function* closureOf(tx: Statements, sessionId: string): Steps<Closure | null> {
  return (yield* tx.findSession(sessionId))?.closure ?? null;
}

export function* requireOpen(tx: Statements, sessionId: string): Steps<void> {
  const closure = yield* closureOf(tx, sessionId);
  if (closure !== null) throw sessionClosed(sessionId, closure);
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
