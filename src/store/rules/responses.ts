// Counts the responses in a critical thread, and leases the reader's own copies of those it returns, so that the inbox does
// not deliver them again.
import { messageIdOf } from '../../contract/ids.js';
import { threadUnknown } from '../../message/send/route.js';
import type { Responses, ResponsesRequest, TakenResponse } from '../../ports/store.js';
import {
  answersShown,
  decideStanding,
  notCritical,
  requireMayWait,
  requireAchievable,
  termsOf,
  type FirstAnswer,
} from '../../thread/decide-critical.js';
import { toRecord } from '../rows/message-row.js';
import { meantThread } from './meant-thread.js';
import { saltOf } from './sessions.js';
import type { ResponseRow, Statements } from './statements.js';
import { findCritical, firstAnswers } from '../sql/critical-threads.js';
import type { Steps } from './steps.js';

export function* takeResponses(tx: Statements, request: ResponsesRequest): Steps<Responses> {
  const { sessionId, reader, isAdmin, isLast } = request;
  const thread = yield* meantThread(tx, request, reader);
  const isHidden = thread?.isPrivate === true && !isAdmin && !thread.members.includes(reader);
  if (thread === undefined || isHidden) throw threadUnknown(request.threadId);
  const threadId = thread.id;
  const critical = yield* findCritical(tx, sessionId, threadId);
  if (critical === undefined) throw notCritical(threadId);
  requireMayWait(thread, reader, isAdmin);
  const responders = { ...critical, members: thread.members };
  const terms = termsOf(request, critical);
  if (request.wanted !== null || request.required !== null) requireAchievable(terms, responders);
  const answers = yield* firstAnswers(tx, sessionId, threadId);
  const answered = answers.map(({ agentId }) => agentId);
  const standing = decideStanding(terms, responders, { status: thread.status, answered });
  const isOver = standing.complete || standing.reason !== null || isLast;
  return {
    thread,
    openingId: messageIdOf(critical.opening, yield* saltOf(tx, sessionId)),
    deadline: critical.deadline,
    terms,
    standing,
    taken: isOver ? yield* take(tx, request, answersShown(answers, { thread, reader, standing })) : null,
  };
}

function* take(
  tx: Statements,
  request: ResponsesRequest,
  answers: readonly FirstAnswer[],
): Steps<NonNullable<Responses['taken']>> {
  const salt = yield* saltOf(tx, request.sessionId);
  const shown = answers.slice(0, request.responsesMax ?? undefined);
  const rows = shown.length === 0 ? [] : yield* tx.responseRows(request, shown);
  const free = rows.flatMap(({ lane, rank, seq, isFree }) => (lane !== null && isFree ? [{ lane, rank, seq }] : []));
  const { seqs, unread } = yield* tx.leaseKeys({ ...request, agentId: request.reader }, free);
  const taken = new Set(seqs);
  return { responses: rows.map((row) => responseOf(row, salt, taken.has(row.seq))), unread };
}

function responseOf(row: ResponseRow, salt: number, isTaken: boolean): TakenResponse {
  const { lane, why, rank, seq, attempts, isFree } = row;
  // A free copy that was not taken now was handed out in between.
  const redelivered = (attempts ?? 0) > 0 || (lane !== null && isFree === true && !isTaken);
  const copy = isTaken && lane !== null && why !== null ? { key: { lane, rank, seq }, why } : null;
  return { message: toRecord(row, salt), copy, redelivered };
}
