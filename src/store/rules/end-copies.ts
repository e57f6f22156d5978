// Ends copies: they move from the inbox to history, requested receipts are written, and the copies hidden behind a digest
// end with it.
import { messageIdOf } from '../../contract/ids.js';
import type { DeadReason, Why } from '../../contract/message.js';
import { allReadText, receiptText } from '../../message/receipts/receipt-text.js';
import { receiptKinds } from '../rows/receipt-row.js';
import { writeReports, type Report } from './notices.js';
import { saltOf } from './sessions.js';
import type { CopySelection, Statements } from './statements.js';
import { saveAllRead } from '../sql/critical-threads.js';
import type { Steps } from './steps.js';

export interface Ending {
  state: 'read' | 'expired' | 'dead_lettered';
  at: number;
  reason: DeadReason | null;
}

export interface EndedCopy {
  sessionId: string;
  agentId: string;
  seq: number;
  why: Why;
  attempts: number;
  deliveredAt: number | null;
  wantsReceipt: number | null;
  isDigest: boolean;
  /** Who gets the receipt for this copy; null if none was requested. */
  sender: string | null;
}

/** A copy's row in history. */
export interface EndRecord extends Ending {
  sessionId: string;
  agentId: string;
  seq: number;
  lane: number;
  why: Why;
  attempts: number;
  deliveredAt: number | null;
}

export interface EndedSeqs {
  /** In inbox order. */
  seqs: number[];
  /** Of the copies hidden behind a digest among them. */
  digested: number[];
}

/** One step of at most `endedPerStep` copies. */
export function* endCopies(tx: Statements, selection: CopySelection, ending: Ending): Steps<EndedSeqs> {
  return yield* afterEnd(tx, yield* tx.endCopies(selection, ending), ending);
}

/** Statements have a timeout, and an inbox may have very many plain posts. */
export const endedPerStep = 5_000;

/** Repeats steps until none is left. Returns how many copies ended. */
export function* endAllCopies(tx: Statements, selection: CopySelection, ending: Ending): Steps<number> {
  let count = 0;
  for (;;) {
    const { seqs, digested } = yield* endCopies(tx, selection, ending);
    count += seqs.length + digested.length;
    if (seqs.length < endedPerStep) return count;
  }
}

/** Writes the receipts and ends the copies behind digests. */
export function* afterEnd(tx: Statements, ended: readonly EndedCopy[], ending: Ending): Steps<EndedSeqs> {
  yield* report(tx, ended, ending);
  const digested: number[] = [];
  for (const copy of ended) {
    if (!copy.isDigest) continue;
    const { seqs } = yield* endCopies(tx, { kind: 'digest', digest: copy }, ending);
    digested.push(...seqs);
  }
  return { seqs: ended.map(({ seq }) => seq), digested };
}

function* report(tx: Statements, ended: readonly EndedCopy[], ending: Ending): Steps<void> {
  const asked = ended.filter(({ wantsReceipt }) => wantsReceipt !== null);
  const sessions = new Set(asked.map((copy) => copy.sessionId));
  // Needed for reading too: of two concurrent last readers, one must see that the other has read. All before any write.
  for (const sessionId of sessions) yield* tx.requireOrder(sessionId);
  for (const sessionId of sessions) {
    const own = asked.filter((copy) => copy.sessionId === sessionId);
    const salt = yield* saltOf(tx, sessionId);
    const openings = own.filter(({ wantsReceipt }) => wantsReceipt === receiptKinds.opening);
    for (const { seq } of openings) yield* reportAllRead(tx, { sessionId, seq, salt }, ending.at);
    const receipts = own.flatMap((copy) => receiptOf(copy, ending, salt));
    if (receipts.length > 0) yield* writeReports(tx, sessionId, receipts);
  }
}

function receiptOf(copy: EndedCopy, { state, reason, at }: Ending, salt: number): Report[] {
  const { sessionId, agentId, seq, sender, wantsReceipt } = copy;
  if (wantsReceipt === receiptKinds.opening || sender === null) return [];
  const messageId = messageIdOf(seq, salt);
  return [
    { agentId: sender, text: receiptText({ sessionId, messageId, sender, recipient: agentId, state, reason, at }) },
  ];
}

/** Once, when the last remaining member has read the opening of a critical thread. */
function* reportAllRead(
  tx: Statements,
  { sessionId, seq, salt }: { sessionId: string; seq: number; salt: number },
  at: number,
): Steps<void> {
  const opening = yield* tx.openingReadByAll(sessionId, seq);
  if (opening === undefined || opening.readers.length === 0) return;
  yield* saveAllRead(tx, { sessionId, threadId: opening.threadId }, at);
  const text = allReadText({ ...opening, sessionId, messageId: messageIdOf(seq, salt), at });
  yield* writeReports(tx, sessionId, [{ agentId: opening.opener, text }]);
}
