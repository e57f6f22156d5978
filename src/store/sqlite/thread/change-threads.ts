// Creates and changes threads by the pure deciders' word, with what `system` has to say, in one transaction.
import { limits } from '../../../contract/limits.js';
import { threadUnknown } from '../../../message/send/route.js';
import { creationNotices } from '../../../notify/notice.js';
import type {
  ChangeThreadPlan,
  CreateThreadPlan,
  ThreadChanged,
  ThreadCreated,
  ThreadRecord,
} from '../../../ports/store.js';
import { decideWhoIsAsked } from '../../../thread/decide-critical.js';
import { decideThreadChange } from '../../../thread/decide-thread-change.js';
import { decideThreadCreation } from '../../../thread/decide-thread-creation.js';
import { isRegistered, requireAgent } from '../session/agents-known.js';
import { appendRouted } from '../send/append-message.js';
import { openCritical } from './critical-rows.js';
import { endCopiesInThread } from '../inbox/end-copies.js';
import { recallResult, rememberResult } from '../send/idempotency.js';
import { readThreadMessages } from '../history/read-history.js';
import { findSession } from '../session/sessions.js';
import { findThread } from './thread-rows.js';
import { writeNotices } from './write-notices.js';
import type { Tx } from '../writer/transaction.js';

export function createThread(tx: Tx, plan: CreateThreadPlan): ThreadCreated {
  const { sessionId, threadId, creator } = plan;
  requireAgent(tx, sessionId, creator);
  const before = recallResult<ThreadCreated>(tx, sessionId, creator, plan.key);
  if (before !== undefined) return { ...before, duplicate: true };
  const { members, unknown } = decideThreadCreation(creator, plan.participants, (id) =>
    isRegistered(tx, sessionId, id),
  );
  const asked = plan.critical === null ? null : decideWhoIsAsked(plan.critical, creator, members);
  tx.run(
    `insert into thread (session_id, id, title, status, creator, is_critical, is_private, created_at)
     values (?, ?, ?, 'open', ?, ?, ?, ?)`,
    sessionId,
    threadId,
    plan.title,
    creator,
    Number(plan.critical !== null),
    Number(plan.isPrivate),
    plan.at,
  );
  addMembers(tx, { sessionId, threadId, fromSeq: 0 }, members);
  const thread = requireThread(tx, sessionId, threadId);
  // Whoever is added learns of it before it meets the first message.
  const notices = writeNotices(tx, { sessionId, thread, at: plan.at }, creationNotices(thread));
  const opening = plan.opening === null ? null : appendRouted(tx, { ...plan.opening, threadId });
  if (asked !== null && opening !== null) openCritical(tx, { ...asked, sessionId, threadId, opener: creator, opening });
  const created: ThreadCreated = {
    thread,
    unknownParticipants: unknown,
    opening,
    notices,
    duplicate: false,
  };
  // A retry tells no one again.
  rememberResult(tx, sessionId, creator, plan.key, { ...created, notices: [] });
  return created;
}

export function changeThread(tx: Tx, plan: ChangeThreadPlan): ThreadChanged {
  const { sessionId, threadId, change, by } = plan;
  const thread = findThread(tx, sessionId, threadId);
  if (thread === undefined) throw threadUnknown(threadId);
  const joining = change.kind === 'add' ? change.participantId : by;
  const effects = decideThreadChange(thread, plan, {
    isRegistered: isRegistered(tx, sessionId, joining),
    participantsMax: limits.participants,
  });
  tx.memory.session(sessionId)?.forgetThread(threadId);
  addMembers(tx, { sessionId, threadId, fromSeq: seenFrom(tx, sessionId, threadId) }, effects.add);
  let deadLettered = 0;
  for (const id of effects.remove) {
    tx.run('delete from member where session_id = ? and thread_id = ? and agent_id = ?', sessionId, threadId, id);
    deadLettered += endCopiesInThread(tx, { sessionId, agentId: id, threadId, at: plan.at });
  }
  tx.run(
    'update thread set status = ?, creator = ?, summary = ? where session_id = ? and id = ?',
    effects.status,
    effects.creator,
    effects.summary,
    sessionId,
    threadId,
  );
  const changed = requireThread(tx, sessionId, threadId);
  const notices = writeNotices(tx, { sessionId, thread: changed, at: plan.at }, effects.notices);
  return { thread: changed, result: effects.result, notices, deadLettered };
}

/** How far back whoever joins now may read; counted only when the hub does not show everything. */
function seenFrom(tx: Tx, sessionId: string, threadId: string): number {
  const shown = limits.joinHistory;
  if (shown < 0) return 0;
  const next = (findSession(tx, sessionId)?.lastSeq ?? 0) + 1;
  if (shown === 0) return next;
  const query = { sessionId, threadId, afterSeq: null, beforeSeq: null, fromSeq: 0, limit: shown };
  return readThreadMessages(tx, query).messages[0]?.seq ?? next;
}

function addMembers(
  tx: Tx,
  { sessionId, threadId, fromSeq }: { sessionId: string; threadId: string; fromSeq: number },
  ids: readonly string[],
): void {
  if (ids.length === 0) return;
  const last = tx.get<{ place: number | null }>(
    'select max(place) as place from member where session_id = ? and thread_id = ?',
    sessionId,
    threadId,
  );
  for (const [index, id] of ids.entries()) {
    tx.run(
      'insert into member (session_id, thread_id, agent_id, place, from_seq) values (?, ?, ?, ?, ?)',
      sessionId,
      threadId,
      id,
      (last?.place ?? 0) + 1 + index,
      fromSeq,
    );
  }
}

function requireThread(tx: Tx, sessionId: string, threadId: string): ThreadRecord {
  const thread = findThread(tx, sessionId, threadId);
  if (thread === undefined) throw new Error(`thread ${threadId} vanished inside its own transaction`);
  return thread;
}
