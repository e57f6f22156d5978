// Checks about messages and their copies: what was promised is stored, what is stored was handed out, and at most once
// without a mark.
import type { Finding } from './checker.js';
import { copyKey, groupBy, type RunRecord, type Send } from './run-record.js';
import type { TruthMessage, TruthReceipt } from './truth.js';

/** Refused sends that are kept on purpose, as dead letters. */
const keptRefusals = new Set(['TARGET_UNKNOWN', 'GROUP_EMPTY']);
/** So many manual leases must have run out before a copy may be given up. */
const manualLeasesMin = 5;

/** ok ⊆ X; nothing that was refused is in X; one message per key. */
export function* checkSends({ sends, byUid, byId }: RunRecord): Generator<Finding> {
  for (const { uid, key, outcome, code, ids } of sends.values()) {
    const stored = byUid.get(uid) ?? [];
    if (outcome === 'fail' && stored.length > 0 && !keptRefusals.has(code ?? '')) {
      yield {
        fault: 'refusedYetStored',
        sentence: `${uid} was refused with ${code} and is stored as ${stored[0]?.id}.`,
      };
    }
    for (const id of ids) {
      if (!byId.has(id))
        yield { fault: 'lost', sentence: `${uid} was accepted as ${id}, and the hub has no such message.` };
      else if (stored.every((message) => message.id !== id)) {
        yield { fault: 'lost', sentence: `${uid} was accepted as ${id}, and ${id} is another message.` };
      }
    }
    if (stored.length > 1 || ids.size > 1) {
      const all = new Set([...ids, ...stored.map(({ id }) => id)]);
      yield {
        fault: 'duplicateKey',
        sentence: `${uid} was sent with the key ${key} and became ${[...all].join(' and ')}.`,
      };
    }
  }
}

/** Every copy that must be exists once, was seen, or ended for a lawful reason; `read` means that someone saw it. */
export function* checkEnds(record: RunRecord): Generator<Finding> {
  const { truth, sends, sightings } = record;
  const receiptsOf = groupBy(truth.receipts, ({ messageId }) => messageId);
  for (const message of truth.messages) {
    const receipts = receiptsOf.get(message.id) ?? [];
    const send = message.uid === undefined ? undefined : sends.get(message.uid);
    yield* checkSum(message, receipts, send);
    for (const receipt of receipts) {
      const isSeen = sightings.has(copyKey(receipt.recipient, message.id));
      yield* checkEnd(record, { message, receipt, send, isSeen });
    }
  }
}

/** Sent = pending + delivered + read + expired + dead-lettered: one receipt for every recipient and no other. */
function* checkSum(message: TruthMessage, receipts: TruthReceipt[], send: Send | undefined): Generator<Finding> {
  const standing = receipts.map(({ recipient }) => recipient).toSorted();
  const expected = send?.outcome === 'fail' ? undefined : send?.args.to?.toSorted();
  const isDoubled = new Set(standing).size < standing.length;
  if (!isDoubled && (expected === undefined || expected.join('\n') === standing.join('\n'))) return;
  const wanted = expected?.join(', ') ?? 'each of them once';
  yield {
    fault: 'sumRule',
    sentence: `${nameOf(message)} must stand with ${wanted}, and stands with ${standing.join(', ') || 'no one'}.`,
  };
}

interface CopyEnd {
  message: TruthMessage;
  receipt: TruthReceipt;
  send: Send | undefined;
  isSeen: boolean;
}

function* checkEnd(record: RunRecord, { message, receipt, send, isSeen }: CopyEnd): Generator<Finding> {
  const { recipient, state, reason } = receipt;
  const name = `${nameOf(message)} for ${recipient}`;
  switch (state) {
    case 'read':
      if (isSeen || isCrossed(record, receipt)) return;
      yield { fault: 'readNeverSeen', sentence: `${name} is read, and no client of ${recipient} saw it.` };
      yield { fault: 'lost', sentence: `${name} will not come again, and was never seen.` };
      return;
    case 'expired':
    case 'dead_lettered':
      if (isLawful(record, { message, receipt, send, isSeen })) return;
      yield { fault: 'unlawfulEnd', sentence: `${name} ended ${state} with ${reason}, for which there was no cause.` };
      if (!isSeen) yield { fault: 'lost', sentence: `${name} ended ${state} and was never seen.` };
      return;
    default:
      // The readers went on until nothing came: what is still open then does not come.
      yield { fault: 'unfinished', sentence: `${name} is still ${state} after the readers were quiet.` };
      if (!isSeen) yield { fault: 'lost', sentence: `${name} is ${state} and did not come.` };
  }
}

/** Read, and its reader never saw the answer, because it aborted the call as the whole answer was on its way. */
export function crossedByAbort(record: RunRecord): TruthReceipt[] {
  return record.truth.receipts.filter(
    (receipt) =>
      receipt.state === 'read' &&
      !record.sightings.has(copyKey(receipt.recipient, receipt.messageId)) &&
      isCrossed(record, receipt),
  );
}

/** Lawful only while the reader still finds the message when it looks again. */
function isCrossed({ reads, truth }: RunRecord, { recipient, messageId }: TruthReceipt): boolean {
  const hasAborted = reads.some(({ args, reason }) => args.agent === recipient && reason === 'aborted');
  return hasAborted && truth.recent[recipient]?.includes(messageId) === true;
}

function isLawful({ reads, sightings }: RunRecord, { message, receipt, send }: CopyEnd): boolean {
  if (receipt.reason === 'EXPIRED') return send?.args.ttlMs !== undefined;
  if (keptRefusals.has(receipt.reason ?? '')) return send === undefined || keptRefusals.has(send.code ?? '');
  if (receipt.reason !== 'ATTEMPTS_EXCEEDED') return false;
  const { recipient } = receipt;
  const seen = sightings.get(copyKey(recipient, message.id)) ?? [];
  const leases = seen.filter(({ call }) => call.args.ack === 'manual').length;
  // A call without an answer may have leased it too.
  const unanswered = reads.filter(
    ({ args, outcome }) => args.agent === recipient && args.ack === 'manual' && outcome === 'unknown',
  );
  return leases + unanswered.length >= manualLeasesMin;
}

/** At most one copy without a mark; no attempt twice. */
export function* checkHandOuts({ sightings, byId }: RunRecord): Generator<Finding> {
  for (const times of sightings.values()) {
    const [first] = times;
    if (first === undefined) continue;
    const { agent, copy } = first;
    const name = `${copy.uid ?? copy.id} for ${agent}`;
    if (!byId.has(copy.id))
      yield { fault: 'lost', sentence: `${name} was handed out, and the hub has no such message.` };
    const unmarked = times.filter((time) => time.copy.redelivered !== true);
    for (const extra of unmarked.slice(1)) {
      const where = `${unmarked[0]?.call.process} and ${extra.call.process}`;
      yield { fault: 'unmarkedDouble', sentence: `${name} came without a mark more than once, to ${where}.` };
    }
    const attempts = times.flatMap((time) => (time.copy.attempt === undefined ? [] : [time.copy.attempt]));
    if (new Set(attempts).size < attempts.length) {
      yield { fault: 'repeatedAttempt', sentence: `${name} came as attempts ${attempts.join(', ')}.` };
    }
  }
}

function nameOf({ uid, id }: TruthMessage): string {
  return uid ?? id;
}
