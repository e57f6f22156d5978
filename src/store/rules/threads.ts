// Creates and changes threads as the pure functions decide, and writes their notices, in one transaction.
import { limits } from '../../contract/limits.js';
import { requireSameRequest } from '../../message/send/decide-retry.js';
import { threadUnknown } from '../../message/send/route.js';
import { creationNotices } from '../../notify/notice.js';
import type {
  ChangeThreadPlan,
  CreateThreadPlan,
  ThreadChanged,
  ThreadCreated,
  ThreadRecord,
} from '../../ports/store.js';
import { decideResponders } from '../../thread/decide-critical.js';
import { decideThreadChange, isAdministrative, isWithoutEffect } from '../../thread/decide-thread-change.js';
import { decideThreadCreation } from '../../thread/decide-thread-creation.js';
import { appendRouted } from './append-message.js';
import { endAllCopies } from './end-copies.js';
import { meantThread } from './meant-thread.js';
import { writeNotices } from './notices.js';
import { isRegistered, requireAgent } from './sessions.js';
import type { InThread, Statements } from './statements.js';
import { appendAudit } from '../sql/audit.js';
import { deleteMember, insertThread } from '../sql/threads.js';
import type { Steps } from './steps.js';

export function* createThread(tx: Statements, plan: CreateThreadPlan): Steps<ThreadCreated> {
  const { sessionId, threadId, creator, key, at } = plan;
  yield* requireAgent(tx, sessionId, creator);
  const before = yield* createdBefore(tx, plan);
  if (before !== undefined) return { ...before, duplicate: true };
  const agents = yield* tx.agentFacts(sessionId, plan.participants);
  const { members, unknown } = decideThreadCreation(creator, plan.participants, (id) => agents.has(id));
  const asked = plan.critical === null ? null : decideResponders(plan.critical, creator, members);
  yield* insertThread(tx, plan);
  yield* tx.insertMembers({ sessionId, threadId }, { ids: members, fromSeq: 0 });
  const thread = yield* requireThread(tx, { sessionId, threadId });
  // New members get the notice before the first message.
  const notices = yield* writeNotices(tx, { sessionId, thread, at }, creationNotices(thread));
  const opening = plan.opening === null ? null : yield* appendRouted(tx, { ...plan.opening, threadId });
  // After the opening, so that the opening itself does not count as an answer.
  if (asked !== null && opening !== null) {
    yield* tx.insertCritical({ ...asked, sessionId, threadId, opener: creator, opening });
  }
  const created: ThreadCreated = { thread, unknownParticipants: unknown, opening, notices, duplicate: false };
  // Without notices: a retry must not wake anyone again.
  if (key !== null) yield* tx.saveResult({ sessionId, sender: creator, key }, { ...created, notices: [] });
  return created;
}

function* createdBefore(
  tx: Statements,
  { sessionId, creator, key }: CreateThreadPlan,
): Steps<ThreadCreated | undefined> {
  if (key === null) return undefined;
  const before = yield* tx.findResultBefore({ sessionId, sender: creator, key });
  if (before === undefined) return undefined;
  requireSameRequest(key, before.hash);
  // Safe: the hash covers the request, so createThread saved this result.
  return before.result as ThreadCreated;
}

export function* changeThread(tx: Statements, plan: ChangeThreadPlan): Steps<ThreadChanged> {
  const { sessionId, change, by, at } = plan;
  const thread = yield* meantThread(tx, plan, by);
  if (thread === undefined) throw threadUnknown(plan.threadId);
  const threadId = thread.id;
  const joining = change.kind === 'add' ? change.participantId : by;
  const effects = decideThreadChange(thread, plan, {
    isRegistered: yield* isRegistered(tx, sessionId, joining),
    participantsMax: limits.participants,
  });
  const { add, remove, status, creator, summary, result } = effects;
  if (isWithoutEffect(thread, effects)) return { thread, result, notices: [], deadLettered: 0 };
  if (add.length > 0) {
    const fromSeq = yield* firstSeqShown(tx, { sessionId, threadId });
    yield* tx.insertMembers({ sessionId, threadId }, { ids: add, fromSeq });
  }
  for (const agentId of remove) yield* deleteMember(tx, { sessionId, threadId }, agentId);
  yield* tx.updateThreads(sessionId, [{ threadId, status, creator, summary }]);
  let deadLettered = 0;
  for (const agentId of remove) {
    // It may no longer read this thread.
    const selection = { kind: 'thread', inbox: { sessionId, agentId }, threadId } as const;
    const ending = { at, state: 'dead_lettered', reason: 'RECIPIENT_REMOVED' } as const;
    deadLettered += yield* endAllCopies(tx, selection, ending);
  }
  const changed = yield* requireThread(tx, { sessionId, threadId });
  const notices = yield* writeNotices(tx, { sessionId, thread: changed, at }, effects.notices);
  if (plan.isPage === true || isAdministrative(thread, plan))
    yield* appendAudit(tx, { ...plan.audit, target: threadId });
  return { thread: changed, result, notices, deadLettered };
}

/** The first message that a new member may read; counted only when the history for new members is limited. */
function* firstSeqShown(tx: Statements, { sessionId, threadId }: InThread): Steps<number> {
  const shown = limits.joinHistory;
  if (shown < 0) return 0;
  const next = (yield* tx.lastSeqOf(sessionId)) + 1;
  if (shown === 0) return next;
  const query = { sessionId, threadId, afterSeq: null, beforeSeq: null, fromSeq: 0, limit: shown };
  return (yield* tx.readThreadMessages(query)).messages[0]?.seq ?? next;
}

function* requireThread(tx: Statements, { sessionId, threadId }: InThread): Steps<ThreadRecord> {
  const thread = yield* tx.findThread(sessionId, threadId);
  if (thread === undefined) throw new Error(`thread ${threadId} vanished inside its own transaction`);
  return thread;
}
