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
import { decideResponders } from '../../../thread/decide-critical.js';
import { decideThreadChange, type ThreadEffects } from '../../../thread/decide-thread-change.js';
import { decideThreadCreation } from '../../../thread/decide-thread-creation.js';
import { isRegistered, recallAgents, requireAgent } from '../session/agents-known.js';
import { appendRouted } from '../send/append-message.js';
import { openCritical } from './critical-rows.js';
import { endCopiesInThread } from '../inbox/end-copies.js';
import { recallResult, rememberResult } from '../send/idempotency.js';
import { readThreadMessages } from '../history/read-history.js';
import { lastSeqOf } from '../session/sessions.js';
import { findThread } from './thread-rows.js';
import { writeNotices } from './write-notices.js';
import type { Tx } from '../connection/transaction.js';

export async function createThread(tx: Tx, plan: CreateThreadPlan): Promise<ThreadCreated> {
  const { sessionId, threadId, creator } = plan;
  await requireAgent(tx, sessionId, creator);
  const before = await recallResult<ThreadCreated>(tx, sessionId, creator, plan.key);
  if (before !== undefined) return { ...before, duplicate: true };
  const agents = await recallAgents(tx, sessionId, plan.participants);
  const { members, unknown } = decideThreadCreation(creator, plan.participants, (id) => agents.has(id));
  const asked = plan.critical === null ? null : decideResponders(plan.critical, creator, members);
  await tx.factsChange(sessionId);
  await tx.run(
    `insert into thread (session_id, id, title, status, creator, is_critical, is_private, created_at)
     values (?, ?, ?, 'open', ?, ?, ?, ?)`,
    ...[sessionId, threadId, plan.title, creator, Number(plan.critical !== null), Number(plan.isPrivate), plan.at],
  );
  await addMembers(tx, { sessionId, threadId, fromSeq: 0 }, members);
  const thread = await requireThread(tx, sessionId, threadId);
  // Whoever is added learns of it before it meets the first message.
  const notices = await writeNotices(tx, { sessionId, thread, at: plan.at }, creationNotices(thread));
  const opening = plan.opening === null ? null : await appendRouted(tx, { ...plan.opening, threadId });
  if (asked !== null && opening !== null) {
    await openCritical(tx, { ...asked, sessionId, threadId, opener: creator, opening });
  }
  const created: ThreadCreated = {
    thread,
    unknownParticipants: unknown,
    opening,
    notices,
    duplicate: false,
  };
  // A retry tells no one again.
  await rememberResult(tx, sessionId, creator, plan.key, { ...created, notices: [] });
  return created;
}

export async function changeThread(tx: Tx, plan: ChangeThreadPlan): Promise<ThreadChanged> {
  const { sessionId, threadId, change, by } = plan;
  const thread = await findThread(tx, sessionId, threadId);
  if (thread === undefined) throw threadUnknown(threadId);
  const joining = change.kind === 'add' ? change.participantId : by;
  const effects = decideThreadChange(thread, plan, {
    isRegistered: await isRegistered(tx, sessionId, joining),
    participantsMax: limits.participants,
  });
  if (isWithoutEffect(thread, effects)) return { thread, result: effects.result, notices: [], deadLettered: 0 };
  await tx.factsChange(sessionId);
  if (effects.add.length > 0) {
    await addMembers(tx, { sessionId, threadId, fromSeq: await seenFrom(tx, sessionId, threadId) }, effects.add);
  }
  await tx.run(
    'delete from member where session_id = ? and thread_id = ? and agent_id = any(?::text[])',
    ...[sessionId, threadId, effects.remove],
  );
  await tx.run(
    'update thread set status = ?, creator = ?, summary = ? where session_id = ? and id = ?',
    ...[effects.status, effects.creator, effects.summary, sessionId, threadId],
  );
  let deadLettered = 0;
  for (const id of effects.remove) {
    deadLettered += await endCopiesInThread(tx, { sessionId, agentId: id, threadId, at: plan.at });
  }
  const changed = await requireThread(tx, sessionId, threadId);
  const notices = await writeNotices(tx, { sessionId, thread: changed, at: plan.at }, effects.notices);
  return { thread: changed, result: effects.result, notices, deadLettered };
}

/** Someone joined who is there already, or closed what is closed: no hub has to read anything again. */
function isWithoutEffect(thread: ThreadRecord, { add, remove, status, creator, summary }: ThreadEffects): boolean {
  const isSame = status === thread.status && creator === thread.creator && summary === thread.summary;
  return isSame && add.length === 0 && remove.length === 0;
}

/** How far back whoever joins now may read; counted only when the hub does not show everything. */
async function seenFrom(tx: Tx, sessionId: string, threadId: string): Promise<number> {
  const shown = limits.joinHistory;
  if (shown < 0) return 0;
  const next = (await lastSeqOf(tx, sessionId)) + 1;
  if (shown === 0) return next;
  const query = { sessionId, threadId, afterSeq: null, beforeSeq: null, fromSeq: 0, limit: shown };
  return (await readThreadMessages(tx, query)).messages[0]?.seq ?? next;
}

async function addMembers(
  tx: Tx,
  { sessionId, threadId, fromSeq }: { sessionId: string; threadId: string; fromSeq: number },
  ids: readonly string[],
): Promise<void> {
  // uses member's key
  await tx.run(
    `insert into member (session_id, thread_id, agent_id, place, from_seq)
     select ?, ?, given.id, last.place + given.place, ?
     from unnest(?::text[]) with ordinality as given (id, place)
     cross join (select coalesce(max(place), 0) as place from member where session_id = ? and thread_id = ?) last`,
    ...[sessionId, threadId, fromSeq, ids, sessionId, threadId],
  );
}

async function requireThread(tx: Tx, sessionId: string, threadId: string): Promise<ThreadRecord> {
  const thread = await findThread(tx, sessionId, threadId);
  if (thread === undefined) throw new Error(`thread ${threadId} vanished inside its own transaction`);
  return thread;
}
