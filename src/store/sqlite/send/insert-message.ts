// Inserts routed messages and their copies.
import type { Appended, SendPlan } from '../../../ports/store.js';
import { messageColumnNames, type MessageRow } from '../../rows/message-row.js';
import { appendedAs, copyRowOf, laneOf, rowOf, undeliveredCopies, type Draft } from '../../rules/draft.js';
import { recordEnd } from '../inbox/end-copies.js';
import { findSession } from '../session/sessions.js';
import type { DeferredInsert } from '../writer/deferred-inserts.js';
import type { Tx } from '../writer/transaction.js';
import type { SessionMemory } from '../writer/writer-memory.js';
import { saveAttachments } from './attachments.js';

const messageInsert: DeferredInsert = { table: 'message', columns: ['n', ...messageColumnNames] };
const copyInsert: DeferredInsert = {
  table: 'pending',
  columns: [
    'session_id',
    'agent_id',
    'lane',
    'rank',
    'seq',
    'n',
    'why',
    'expires_at',
    'wants_receipt',
    'notice',
    'sender',
  ],
};

export function insertMessages(tx: Tx, sessionId: string, drafts: readonly Draft[]): Appended[] {
  const session = findSession(tx, sessionId);
  if (session === undefined) throw new Error(`session ${sessionId} vanished`);
  return drafts.map((draft) => insertMessage(tx, session, draft));
}

export function insertMessage(tx: Tx, session: SessionMemory, routed: Draft): Appended {
  const draft = withEnd(tx, routed);
  const { sessionId, attachments } = draft.plan;
  const seq = session.lastSeq + 1;
  const n = nextRow(tx);
  const row = rowOf(draft, seq);
  const rows = tx.rowsFor(messageInsert);
  rows.push(n);
  for (const name of messageColumnNames) rows.push(row[name]);
  session.lastSeq = seq;
  const appended = appendedAs(draft, seq, session.salt);
  insertCopies(tx, session, { draft, n, row, appended });
  if (attachments !== null) saveAttachments(tx, { sessionId, seq }, attachments);
  if (draft.undelivered.length > 0) {
    for (const copy of undeliveredCopies(draft)) recordEnd(tx, { sessionId, n, seq, ...copy });
  }
  return appended;
}

function withEnd(tx: Tx, draft: Draft): Draft {
  const expiresAt = tx.clockJumps.endOf(draft.plan);
  return expiresAt === draft.plan.expiresAt ? draft : { ...draft, plan: { ...draft.plan, expiresAt } };
}

/** The single writer assigns row numbers itself, so that copies can be inserted without reading the message's number back. */
export function nextRow(tx: Tx): number {
  tx.memory.lastRow ??= tx.get<{ n: number | null }>('select max(n) as n from message')?.n ?? 0;
  tx.memory.lastRow += 1;
  return tx.memory.lastRow;
}

function insertCopies(
  tx: Tx,
  session: SessionMemory,
  {
    draft,
    n,
    row,
    appended: { seq, threadId, sender, recipients, isInterrupt },
  }: { draft: Draft; n: number; row: MessageRow; appended: Appended },
): void {
  const { sessionId }: SendPlan = draft.plan;
  const copy = copyRowOf(draft);
  const rows = tx.rowsFor(copyInsert);
  for (const recipient of recipients) {
    const { id, why, isWaking } = recipient;
    const lane = laneOf(recipient);
    const { rank, expires_at: expiresAt, wants_receipt: wantsReceipt, notice } = copy;
    // Not filed: see docs/decisions/0026-deep-inboxes.md.
    rows.push(sessionId, id, lane, rank, seq, n, why, expiresAt, wantsReceipt, notice, null);
    const isAwaited = tx.waits.hasWaitOf(sessionId, id);
    if (isAwaited) {
      tx.awaitedCopies.push({ sessionId, agentId: id, seq, threadId, sender, isWaking, isInterrupt });
      if (isWaking) tx.onlyMail?.add(session, { sessionId, agentId: id }, { ...row, lane, why, attempts: 0, notice });
    }
    if (isWaking) session.copyAdded(id);
  }
}
