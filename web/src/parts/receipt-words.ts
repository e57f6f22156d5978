// The app's words for receipts. Functions of their arguments alone.
import type { Presence } from '../../../src/contract/agent.js';
import type { ReceiptView } from '../../../src/contract/receipt.js';
import { exactTime, when } from './words/time-words.js';

export interface Reader {
  me: string | undefined;
  now: number;
  /** Of the recipients that the page knows. */
  presenceOf: (id: string) => Presence | undefined;
  /** How it is woken, if the hub says so. */
  wakeOf: (id: string) => string | undefined;
}

const namedMax = 4;

/** One line under the message. */
export function receiptsLine(receipts: readonly ReceiptView[], reader: Reader): string {
  if (receipts.length === 0) return 'no recipients';
  const read = receipts.filter(({ state }) => state === 'read').toSorted((a, b) => (a.at < b.at ? -1 : 1));
  const last = read.at(-1);
  const time = (at: string) => when(Date.parse(at), reader.now);
  if (last !== undefined && read.length === receipts.length) {
    if (read.length === 1) return `read by ${nameOf(last.recipient, reader)} ${time(last.at)}`;
    return `read by all ${read.length}, last by ${nameOf(last.recipient, reader)} ${time(last.at)}`;
  }
  const named = read.slice(0, namedMax).map(({ recipient, at }) => `${nameOf(recipient, reader)} ${time(at)}`);
  const more = read.length - named.length;
  const others = receipts.filter(({ state }) => state !== 'read');
  const open = others
    .slice(0, namedMax)
    .map((receipt) => `${nameOf(receipt.recipient, reader)} ${stateShort(receipt, reader)}`);
  const moreOpen = others.length - open.length;
  return [
    ...(named.length === 0 ? [] : [`read by ${named.join(' · ')}${more === 0 ? '' : ` and ${more} more`}`]),
    ...open,
    ...(moreOpen === 0 ? [] : [`${moreOpen} more not yet`]),
  ].join(' · ');
}

function nameOf(id: string, { me }: Reader): string {
  return id === me ? 'you' : id;
}

function stateShort({ recipient, state, reason }: ReceiptView, { presenceOf }: Reader): string {
  switch (state) {
    case 'delivered':
      return 'handed out, not yet confirmed';
    case 'expired':
      return 'expired';
    case 'dead_lettered':
      return `dead letter${reason === undefined ? '' : `: ${reason}`}`;
    default: {
      const presence = presenceOf(recipient);
      return presence === undefined ? 'not yet' : `not yet: ${presence}`;
    }
  }
}

/** After the recipient's name, in the list that opens. */
export function receiptText(receipt: ReceiptView, reader: Reader): string {
  const { state, at, attempts, answeredAt, reason, recipient } = receipt;
  const again = attempts > 1 ? ` It was handed out ${attempts} times.` : '';
  const answered = answeredAt === undefined ? '' : ` Answered ${seconds(answeredAt)}.`;
  switch (state) {
    case 'read':
      return `read ${seconds(at)}.${again}${answered}`;
    case 'delivered':
      return `was handed it ${seconds(receipt.deliveredAt ?? at)}. It is not confirmed: it counts as read then, or comes again.${again}`;
    case 'expired':
      return `did not read it in time. It expired ${seconds(at)}.`;
    case 'dead_lettered':
      return `did not get it: ${reason ?? 'dead letter'}, ${seconds(at)}.${again}`;
    default: {
      const presence = reader.presenceOf(recipient);
      const where = presence === undefined ? '' : ` It is ${presence}.`;
      const wake = reader.wakeOf(recipient);
      return `not yet.${where}${wake === undefined ? '' : ` ${wake}.`}${again}`;
    }
  }
}

function seconds(iso: string): string {
  return exactTime(Date.parse(iso));
}
