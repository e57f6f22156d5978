// Inserts routed messages and their copies.
import type { Appended, SendPlan } from '../../../ports/store.js';
import { messageColumnNames, messageColumns, sqlTypeOf, type MessageRow } from '../../rows/message-row.js';
import { appendedAs, copyRowOf, laneOf, rowOf, undeliveredCopies, type Draft } from '../../rules/draft.js';
import { timeOf } from '../connection/time.js';
import type { Tx } from '../connection/transaction.js';
import { wellFormed } from '../connection/well-formed.js';
import { recordEnd } from '../inbox/end-copies.js';
import { findSession, lastSeqOf } from '../session/sessions.js';
import { saveAttachments } from './attachments.js';

/** Replaces lone surrogates in names and labels, which PostgreSQL does not accept. */
export function storableRowOf(draft: Draft, seq: number): MessageRow {
  const row = rowOf(draft, seq);
  if (row.thread_id !== null) row.thread_id = wellFormed(row.thread_id);
  if (row.name !== null) row.name = wellFormed(row.name);
  return row;
}

/** Two round trips for any number of messages. */
export async function insertMessages(tx: Tx, sessionId: string, given: readonly Draft[]): Promise<Appended[]> {
  tx.requireOrder(sessionId);
  const drafts: Draft[] = [];
  for (const draft of given) drafts.push({ ...draft, plan: await withDatabaseExpiry(tx, draft.plan) });
  const session = await findSession(tx, sessionId);
  if (session === undefined) throw new Error(`session ${sessionId} vanished`);
  const lastSeq = await lastSeqOf(tx, sessionId);
  const messages = drafts.map((draft, index) => ({ draft, seq: lastSeq + 1 + index }));
  await insertRows(tx, sessionId, messages);
  const appended: Appended[] = [];
  for (const { draft, seq } of messages) {
    const { attachments } = draft.plan;
    if (attachments !== null) await saveAttachments(tx, { sessionId, seq }, attachments);
    for (const copy of undeliveredCopies(draft)) await recordEnd(tx, { sessionId, seq, ...copy });
    appended.push(appendedAs(draft, seq, session.salt));
  }
  return appended;
}

/** Computes the expiry by the database's clock, because the hub's may be wrong. */
async function withDatabaseExpiry(tx: Tx, plan: SendPlan): Promise<SendPlan> {
  if (plan.expiresAt === null) return plan;
  return { ...plan, expiresAt: plan.expiresAt - plan.at + (await timeOf(tx, plan.at)) };
}

interface Numbered {
  draft: Draft;
  seq: number;
}

const messageRecord = messageColumnNames.map((name) => `${name} ${sqlTypeOf(name)}`).join(', ');

async function insertRows(tx: Tx, sessionId: string, messages: readonly Numbered[]): Promise<void> {
  const rows = messages.map(({ draft, seq }) => storableRowOf(draft, seq));
  await tx.run(
    `insert into message (origin, ${messageColumns})
     select ?, ${messageColumns} from jsonb_to_recordset(?::jsonb) as m (${messageRecord})`,
    [tx.origin, JSON.stringify(rows)],
  );
  const copies = messages.flatMap(copiesOf);
  if (copies.length === 0) return;
  await tx.run(
    `insert into pending (session_id, agent_id, lane, rank, seq, why, expires_at, wants_receipt, notice, sender)
     select ?, c.agent_id, c.lane, c.rank, c.seq, c.why, c.expires_at, c.wants_receipt, c.notice, null
     from jsonb_to_recordset(?::jsonb) as c (agent_id text, lane integer, rank integer, seq bigint, why text,
       expires_at bigint, wants_receipt integer, notice text)`,
    [sessionId, JSON.stringify(copies)],
  );
}

function copiesOf({ draft, seq }: Numbered): object[] {
  const copy = copyRowOf(draft);
  return draft.route.recipients
    .filter(({ id }) => !draft.undelivered.includes(id))
    .map((recipient) => ({ agent_id: recipient.id, lane: laneOf(recipient), why: recipient.why, seq, ...copy }));
}
