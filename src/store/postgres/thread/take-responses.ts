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
  requireAchievable,
  termsOf,
  type FirstAnswer,
} from '../../../thread/decide-critical.js';
import { toRecord, type MessageRow } from '../../rows/message-row.js';
import { findCritical, firstAnswers } from './critical-rows.js';
import { leaseKeys } from '../inbox/leases.js';
import { columnsOf } from '../history/message-rows.js';
import { findSession } from '../session/sessions.js';
import { sqlTime, sqlTimeOf } from '../connection/sql-time.js';
import { findThread } from './thread-rows.js';
import type { Tx } from '../connection/transaction.js';

export async function takeResponses(tx: Tx, request: ResponsesRequest): Promise<Responses> {
  const { sessionId, threadId, reader, isAdmin, isLast } = request;
  const thread = await findThread(tx, sessionId, threadId);
  const isHidden = thread?.isPrivate === true && !isAdmin && !thread.members.includes(reader);
  if (thread === undefined || isHidden) throw threadUnknown(threadId);
  const critical = await findCritical(tx, sessionId, threadId);
  if (critical === undefined) throw notCritical(threadId);
  requireMayWait(thread, reader, isAdmin);
  const responders = { ...critical, members: thread.members };
  const terms = termsOf(request, critical);
  if (request.wanted !== null || request.required !== null) requireAchievable(terms, responders);
  const answers = await firstAnswers(tx, sessionId, threadId);
  const answered = answers.map(({ agentId }) => agentId);
  const standing = decideStanding(terms, responders, { status: thread.status, answered });
  const isOver = standing.complete || standing.reason !== null || isLast;
  return {
    thread,
    openingId: messageIdOf(critical.opening, (await findSession(tx, sessionId))?.salt ?? 0),
    deadline: critical.deadline,
    terms,
    standing,
    taken: isOver ? await takeThese(tx, request, answersShown(thread, reader, standing, answers)) : null,
  };
}

async function takeThese(
  tx: Tx,
  request: ResponsesRequest,
  answers: readonly FirstAnswer[],
): Promise<NonNullable<Responses['taken']>> {
  const { sessionId, reader } = request;
  const salt = (await findSession(tx, sessionId))?.salt ?? 0;
  const rows = await responseRows(tx, request, answers.slice(0, request.responsesMax ?? undefined));
  const free = rows.flatMap(({ lane, rank, seq, isFree }) => (lane !== null && isFree ? [{ lane, rank, seq }] : []));
  const { seqs, unread } = await leaseKeys(tx, { ...request, agentId: reader }, free);
  const taken = new Set(seqs);
  const responses = rows.map((row): TakenResponse => {
    const { lane, why, rank, seq, attempts, isFree } = row;
    const isTaken = taken.has(seq);
    // No longer free: it was handed out this very moment.
    const redelivered = (attempts ?? 0) > 0 || (isFree === true && !isTaken);
    const copy = isTaken && lane !== null && why !== null ? { key: { lane, rank, seq }, why } : null;
    return { message: toRecord(row, salt), copy, redelivered };
  });
  return { responses, unread };
}

/** A response with the reader's own copy, if it has one: `attempts` also of one that has ended. */
type ResponseRow = MessageRow & {
  lane: number | null;
  why: Why | null;
  isFree: boolean | null;
  attempts: number | null;
};

async function responseRows(
  tx: Tx,
  { sessionId, reader, now }: ResponsesRequest,
  answers: readonly FirstAnswer[],
): Promise<ResponseRow[]> {
  if (answers.length === 0) return [];
  // uses the keys of message, pending and delivery
  return tx.all<ResponseRow>(
    `select ${columnsOf('m')}, p.lane, p.why, coalesce(p.attempts, d.attempts) as attempts,
       p.lease_token is null and (p.expires_at is null or p.expires_at > ${sqlTime}) as "isFree"
     from unnest(?::bigint[]) k (seq)
     join message m on m.session_id = ? and m.seq = k.seq
     left join pending p on p.session_id = m.session_id and p.agent_id = ? and p.lane in (0, 1) and p.rank = m.rank
       and p.seq = m.seq
     left join lateral (select attempts from delivery
       where session_id = m.session_id and seq = m.seq and agent_id = ? offset 0) d on true
     order by m.seq`,
    ...[sqlTimeOf(tx, now), answers.map(({ seq }) => seq), sessionId, reader, reader],
  );
}
