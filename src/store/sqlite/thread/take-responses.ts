// Counts the responses in a critical thread, and takes the reader's own copies of those it is shown: an answer that was
// seen here does not come again from the inbox.
import { messageIdOf } from '../../../contract/ids.js';
import type { Why } from '../../../contract/message.js';
import { threadUnknown } from '../../../message/send/route.js';
import type { Responses, ResponsesRequest, TakenResponse } from '../../../ports/store.js';
import {
  answersShown,
  decideStanding,
  notCritical,
  requireMayWait,
  requireMeetable,
  termsOf,
  type FirstAnswer,
} from '../../../thread/decide-critical.js';
import { toRecord } from '../../rows/message-row.js';
import { findCritical, firstAnswers } from './critical-rows.js';
import { leaseCopy } from '../inbox/leases.js';
import { messageColumns, type MessageRow } from '../history/message-rows.js';
import { countUnread } from '../inbox/read-inbox.js';
import { findSession } from '../session/sessions.js';
import { findThread } from './thread-rows.js';
import type { Tx } from '../writer/transaction.js';

export function takeResponses(tx: Tx, request: ResponsesRequest): Responses {
  const { sessionId, threadId, reader, isAdmin, isLast } = request;
  const thread = findThread(tx, sessionId, threadId);
  const isHidden = thread?.isPrivate === true && !isAdmin && !thread.members.includes(reader);
  if (thread === undefined || isHidden) throw threadUnknown(threadId);
  const critical = findCritical(tx, sessionId, threadId);
  if (critical === undefined) throw notCritical(threadId);
  requireMayWait(thread, reader, isAdmin);
  const responders = { ...critical, members: thread.members };
  const terms = termsOf(request, critical);
  if (request.wanted !== null || request.required !== null) requireMeetable(terms, responders);
  const answers = firstAnswers(tx, sessionId, threadId);
  const answered = answers.map(({ agentId }) => agentId);
  const standing = decideStanding(terms, responders, { status: thread.status, answered });
  const isOver = standing.complete || standing.reason !== null || isLast;
  return {
    thread,
    openingId: messageIdOf(critical.opening, findSession(tx, sessionId)?.salt ?? 0),
    deadline: critical.deadline,
    terms,
    standing,
    taken: isOver ? takeThese(tx, request, answersShown(thread, reader, standing, answers)) : null,
  };
}

function takeThese(
  tx: Tx,
  request: ResponsesRequest,
  answers: readonly FirstAnswer[],
): NonNullable<Responses['taken']> {
  const shown = answers.slice(0, request.responsesMax ?? undefined);
  const responses = shown.flatMap(({ seq }) => takeResponse(tx, request, seq) ?? []);
  return { responses, unread: countUnread(tx, { sessionId: request.sessionId, agentId: request.reader }) };
}

function takeResponse(tx: Tx, request: ResponsesRequest, seq: number): TakenResponse | undefined {
  const { sessionId, reader } = request;
  // uses message_by_seq
  const row = tx.get<MessageRow>(
    `select ${messageColumns} from message where session_id = ? and seq = ?`,
    ...[sessionId, seq],
  );
  if (row === undefined) return undefined;
  const message = toRecord(row, findSession(tx, sessionId)?.salt ?? 0);
  // uses pending's key
  const copy = tx.get<{ lane: number; why: Why; attempts: number; isFree: number }>(
    `select lane, why, attempts, lease_token is null and (expires_at is null or expires_at > ?) as isFree from pending
     where session_id = ? and agent_id = ? and lane in (0, 1) and rank = ? and seq = ?`,
    ...[request.now, sessionId, reader, row.rank, seq],
  );
  if (copy === undefined) return { message, copy: null, redelivered: wasHandedOut(tx, request, row.n) };
  const redelivered = copy.attempts > 0;
  if (copy.isFree !== 1) return { message, copy: null, redelivered };
  const key = { lane: copy.lane, rank: row.rank, seq };
  leaseCopy(tx, { ...request, agentId: reader }, key);
  return { message, copy: { key, why: copy.why }, redelivered };
}

function wasHandedOut(tx: Tx, { sessionId, reader }: ResponsesRequest, n: number): boolean {
  // uses delivery's key
  const ended = tx.get<{ attempts: number }>(
    'select attempts from delivery where n = ? and agent_id = ? and session_id = ?',
    ...[n, reader, sessionId],
  );
  return ended !== undefined && ended.attempts > 0;
}
