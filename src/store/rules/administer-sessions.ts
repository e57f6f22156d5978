// Creates and closes sessions. Every change is audited with it.
import { defaultGroups } from '../../contract/ids.js';
import { mayCreate, requireAdministered } from '../../session/decide-administration.js';
import { requireMayClose, sessionTaken, summaryWithoutReason } from '../../session/decide-closing.js';
import type { CloseSessionPlan, CreateSessionPlan, SessionClosed, SessionRecord } from '../../ports/store.js';
import { appendAudit } from '../sql/audit.js';
import { closeOpenThreads, findSessionRecord } from '../sql/sessions.js';
import { requireNotImported, requireRoomForSession } from './sessions.js';
import type { Statements } from './statements.js';
import type { Steps } from './steps.js';

export function* createSession(tx: Statements, plan: CreateSessionPlan): Steps<SessionRecord> {
  const { sessionId, audit, at, ...profile } = plan;
  const isTaken = (yield* tx.findSession(sessionId)) !== undefined;
  if (isTaken || !mayCreate(plan.createdBySession, sessionId)) throw sessionTaken(sessionId);
  if (plan.expiresAt !== null) requireMayClose(sessionId);
  yield* tx.lockName(sessionId);
  yield* requireNotImported(tx, sessionId);
  yield* requireRoomForSession(tx);
  const isNew = yield* tx.insertSession(sessionId, { ...profile, at, groups: defaultGroups });
  if (!isNew) throw sessionTaken(sessionId);
  yield* appendAudit(tx, audit);
  return { id: sessionId, createdAt: at, ...profile, closure: null };
}

/** Its threads end without notices: everyone in them who waits is told that the session is closed. */
export function* closeSession(tx: Statements, plan: CloseSessionPlan): Steps<SessionClosed> {
  const { sessionId, bySession, reason, at, audit } = plan;
  const session = requireAdministered(bySession, sessionId, yield* findSessionRecord(tx, sessionId));
  if (session.closure !== null) return { session, closedThreads: 0, wasClosed: true };
  requireMayClose(sessionId);
  const closure = { at, reason };
  const closedThreads = yield* closeOpenThreads(tx, sessionId, reason ?? summaryWithoutReason);
  yield* tx.setClosed(sessionId, closure);
  yield* appendAudit(tx, audit);
  return { session: { ...session, closure }, closedThreads, wasClosed: false };
}
