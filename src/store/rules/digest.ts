// Combines many notices into one digest, in the transaction that hands it out. The notices stay in their threads' history;
// their copies are hidden behind the digest and end with it.
import { systemPlan, systemRoute } from '../../message/send/system-plan.js';
import { digestText, isDigestDue } from '../../notify/digest.js';
import type { LeaseRequest } from '../../ports/store.js';
import { digestedNotice } from '../rows/notice-row.js';
import { insertMessage } from './append-message.js';
import { systemDraft } from './draft.js';
import { prefsOf } from './notify-settings.js';
import type { Statements } from './statements.js';
import type { Steps } from './steps.js';

/** Enough for any text; further notices go into the next digest. */
const noticesMax = 1_000;
/** Bounded, so that a huge backlog does not block the writer or the session's order lock. */
const backlogCounted = 5_000;

/**
 * Excludes the notice of the reader's own removal, which is in no thread's history. True when a digest was written: the
 * inbox must be read again.
 */
export function* gatherDigest(
  tx: Statements,
  { sessionId, agentId, now }: Pick<LeaseRequest, 'sessionId' | 'agentId' | 'now'>,
): Steps<boolean> {
  const inbox = { sessionId, agentId };
  const prefs = yield* prefsOf(tx, inbox);
  const rows = yield* tx.freeNotices(inbox, noticesMax);
  const [oldest] = rows;
  if (oldest === undefined || !isDigestDue(prefs, { count: rows.length, oldestAt: oldest.at, now })) return false;
  yield* tx.requireOrder(sessionId);
  if ((yield* tx.fullInboxes(sessionId, [agentId])).length > 0) return false;
  const threadIds = [...new Set(rows.flatMap(({ thread_id: id }) => id ?? []))];
  const threads = yield* tx.findThreads(sessionId, threadIds);
  const notices = rows.flatMap((row) => digestedNotice(row, threads.get(row.thread_id ?? '')));
  const text = digestText(notices, yield* tx.backlogByThread(inbox, backlogCounted), rows.length);
  const plan = systemPlan({ sessionId, at: now, text, target: agentId, notice: { kind: 'digest', by: '' } });
  const route = systemRoute([agentId], { threadId: null, isToOne: true });
  // High priority: it is read before the rest of the backlog.
  const appended = yield* insertMessage(tx, systemDraft({ plan: { ...plan, priority: 'high' }, route }));
  yield* tx.hideBehindDigest(inbox, { seq: appended.seq, rows });
  yield* tx.wakeAfterCommit(sessionId, appended);
  return true;
}
