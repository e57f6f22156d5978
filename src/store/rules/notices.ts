// Writes the hub's own messages: notices about threads, and requested receipts.
import { decideNotices, type NoticeContext } from '../../notify/decide-notices.js';
import type { Notice } from '../../notify/notice.js';
import { systemPlan, systemRoute, type SystemText } from '../../message/send/system-plan.js';
import type { Appended } from '../../ports/store.js';
import { insertMessage } from './append-message.js';
import { systemDraft, type Draft } from './draft.js';
import { closureOf, isRegistered } from './sessions.js';
import type { Statements } from './statements.js';
import type { Steps } from './steps.js';

export function* writeNotices(tx: Statements, context: NoticeContext, notices: readonly Notice[]): Steps<Appended[]> {
  if (notices.length === 0) return [];
  const { sessionId } = context;
  const drafts = decideNotices(context, notices, yield* tx.notifySettings(sessionId)).map(systemDraft);
  const agentIds = [...new Set(drafts.flatMap(({ route }) => route.recipients.map(({ id }) => id)))];
  // Usually all inboxes have room, and the notices are written in one statement.
  if (yield* tx.haveRoomFor(sessionId, { agentIds, messages: drafts.length })) {
    return yield* tx.insertMessages(sessionId, drafts);
  }
  const written: Appended[] = [];
  for (const draft of drafts) {
    const readers = draft.route.recipients.map(({ id }) => id);
    const undelivered = yield* tx.fullInboxes(sessionId, readers);
    written.push(yield* insertMessage(tx, { ...draft, undelivered }));
  }
  return written;
}

export interface Report {
  agentId: string;
  text: SystemText;
}

/** Of one session, unless it is closed. Removed agents and full inboxes get none: receipts never displace mail. */
export function* writeReports(tx: Statements, sessionId: string, reports: readonly Report[]): Steps<void> {
  if ((yield* closureOf(tx, sessionId)) !== null) return;
  const agentIds = [...new Set(reports.map(({ agentId }) => agentId))];
  const registered = yield* tx.agentFacts(sessionId, agentIds);
  const hasRoom = yield* tx.haveRoomFor(sessionId, { agentIds, messages: reports.length });
  if (hasRoom && agentIds.every((id) => registered.has(id))) {
    const drafts = reports.map(reportDraft);
    for (const appended of yield* tx.insertMessages(sessionId, drafts)) yield* tx.wakeAfterCommit(sessionId, appended);
    return;
  }
  for (const report of reports) yield* writeReport(tx, sessionId, report);
}

function* writeReport(tx: Statements, sessionId: string, report: Report): Steps<void> {
  const { agentId } = report;
  if (!(yield* isRegistered(tx, sessionId, agentId))) return;
  if ((yield* tx.fullInboxes(sessionId, [agentId])).length > 0) return;
  yield* tx.wakeAfterCommit(sessionId, yield* insertMessage(tx, reportDraft(report)));
}

function reportDraft({ agentId, text }: Report): Draft {
  return systemDraft({ plan: systemPlan(text), route: systemRoute([agentId], { threadId: null, isToOne: true }) });
}
