// Writes the rows of one message and its copies, once it is decided who receives them.
import { messageIdOf } from '../../../contract/ids.js';
import { lanes, rankOf, type Route } from '../../../message/send/route.js';
import type { Appended, Recipient, SendPlan } from '../../../ports/store.js';
import { extrasOf } from '../../rows/message-row.js';
import { keepAttachments } from './attachments.js';
import type { LateInsert } from '../writer/late-inserts.js';
import { messageColumns } from '../history/message-rows.js';
import { findSession } from '../session/sessions.js';
import type { Tx } from '../writer/transaction.js';
import type { AgentMemory } from '../writer/writer-memory.js';

const messageInsert: LateInsert = { table: 'message', columns: messageColumns.split(', ') };
const copyInsert: LateInsert = {
  table: 'pending',
  columns: ['session_id', 'agent_id', 'lane', 'rank', 'seq', 'n', 'why', 'expires_at', 'wants_receipt', 'notice'],
};

export interface Author {
  sender: AgentMemory | undefined;
  /** The seq of the message replied to. */
  replyTo: number | null;
  hops: number;
}

export const noReply = { replyTo: null, hops: 0 } as const;

/** Recipients in `undelivered` get no copy; whoever calls writes how theirs ended. */
export function insertMessage(
  tx: Tx,
  plan: SendPlan,
  route: Route,
  { sender, replyTo, hops }: Author,
  undelivered: readonly string[] = [],
): { n: number; appended: Appended } {
  const { sessionId } = plan;
  const session = findSession(tx, sessionId);
  if (session === undefined) throw new Error(`session ${sessionId} vanished`);
  const seq = session.lastSeq + 1;
  const n = nextRow(tx);
  tx.rowsFor(messageInsert).push(
    n,
    sessionId,
    seq,
    route.threadId,
    plan.sender,
    sender === undefined || sender.name === plan.sender ? null : sender.name,
    plan.at,
    rankOf(plan),
    plan.role ?? (sender?.kind === 'human' ? 'USER' : 'ASSISTANT'),
    plan.type ?? (route.threadId === null ? null : 'STATUS'),
    plan.priority,
    plan.action,
    Number(route.urgent),
    replyTo,
    hops === 0 ? null : hops,
    plan.target,
    plan.content,
    route.mentions.length === 0 ? null : JSON.stringify(route.mentions),
    extrasOf(plan),
    plan.expiresAt,
    listOfIds(route.recipients),
  );
  session.lastSeq = seq;
  const recipients =
    undelivered.length === 0 ? route.recipients : route.recipients.filter(({ id }) => !undelivered.includes(id));
  insertCopies(tx, plan, { n, seq, recipients });
  if (plan.attachments !== null) keepAttachments(tx, sessionId, seq, plan.attachments);
  return {
    n,
    appended: {
      seq,
      id: messageIdOf(seq, session.salt),
      threadId: route.threadId,
      sender: plan.sender,
      recipients,
      undelivered: [...undelivered],
      mentions: route.mentions,
      droppedMentions: route.droppedMentions,
      isInterrupt: plan.action === 'interrupt',
      duplicate: false,
    },
  };
}

/** As JSON. Ids have no character that JSON would escape, so this is done without it: it runs for every send. */
function listOfIds(recipients: readonly Recipient[]): string {
  const [first] = recipients;
  if (first === undefined) return '[]';
  return recipients.length === 1 ? `["${first.id}"]` : `["${recipients.map(({ id }) => id).join('","')}"]`;
}

/** The one writer numbers the rows itself, so that a message's copies can be written beside it. */
function nextRow(tx: Tx): number {
  tx.memory.lastRow ??= tx.get<{ n: number | null }>('select max(n) as n from message')?.n ?? 0;
  tx.memory.lastRow += 1;
  return tx.memory.lastRow;
}

function insertCopies(tx: Tx, plan: SendPlan, copies: { n: number; seq: number; recipients: Recipient[] }): void {
  const rank = rankOf(plan);
  const session = findSession(tx, plan.sessionId);
  const rows = tx.rowsFor(copyInsert);
  const wantsReceipt = plan.wantsReceipt ? 1 : null;
  const notice = plan.notice?.kind ?? null;
  for (const { id, why, isWaking } of copies.recipients) {
    const lane = isWaking ? lanes.waking : lanes.plain;
    if (isWaking) session?.mailHasCome(id);
    rows.push(plan.sessionId, id, lane, rank, copies.seq, copies.n, why, plan.expiresAt, wantsReceipt, notice);
  }
}
