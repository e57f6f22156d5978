// The app's words for what a question is and became. Functions of their arguments alone.
import type { Opened } from '../../device/open.js';
import type { EncryptionLevel, QuestionView } from '../../data/types.js';
import { spelled } from '../hidden-chars.js';
import { titleOfCall } from '../shown-call.js';

type Asked = QuestionView & { opened: Opened };

export function nameOf({ from, fromName }: { from: string; fromName?: string | undefined }): string {
  return spelled(fromName ?? from);
}

/** What to call a question that cannot be read here. */
export function titleOf(question: Asked): string {
  const { content } = question.opened;
  if (content?.toolCall !== undefined) return titleOfCall(content.toolCall);
  if (content !== undefined) return content.text;
  return question.kind === 'permission' ? 'A tool call, encrypted' : 'A question, encrypted';
}

export const encryptionShort: Record<EncryptionLevel, string> = {
  end_to_end: 'End to end: the hub cannot read it',
  device: 'Encrypted to your devices on receipt',
  hub: 'Encrypted by the hub, until a device is paired',
  none: 'Not encrypted',
};

export function encryptionLong(level: EncryptionLevel, asker: string): string {
  switch (level) {
    case 'end_to_end':
      return `End to end. Encrypted beside ${asker}, opened on your devices. The hub cannot read it.`;
    case 'device':
      return 'To your devices. Encrypted when the hub received it. Not stored or logged in plain text.';
    case 'hub':
      return 'Encrypted by the hub, which holds the key: no device was paired when it came. Pair one, and it is encrypted to that.';
    case 'none':
      return `Not encrypted. ${asker} chose so. Whoever runs the hub can read it.`;
  }
}

/** What silence means, in a line under the question. */
export function silenceShort(question: Asked): string {
  if (question.kind === 'permission') return `Without an answer, ${nameOf(question)}’s own terminal asks.`;
  const fallback = question.opened.defaultAnswer?.response;
  if (question.expiresAt === undefined) return 'It waits without an end.';
  if (fallback !== undefined) return `Without an answer, “${fallback}” is used and marked as a default.`;
  return 'Without an answer it expires. That is not a no.';
}

/** Who answered by a number for a sealed question could not read the option; this browser can. */
export function answerOf({ opened: { content, answer } }: Asked): string | undefined {
  const option = answer?.option ?? null;
  if (option === null || answer?.response !== `option ${option}`) return answer?.response;
  return content?.options[option - 1] ?? answer.response;
}

export interface Outcome {
  /** Before the answer in bold. */
  text: string;
  answer?: string;
  after?: string;
}

export interface Reader {
  me: string | undefined;
  deviceName: string | undefined;
}

/** One line for the list of what is over. */
export function outcomeLine(question: Asked, reader: Reader): Outcome {
  const who = question.answeredBy === undefined || question.answeredBy === reader.me ? 'You' : question.answeredBy;
  const answer = answerOf(question);
  const said = answer === undefined || answer === '' ? {} : { answer };
  const on = placeOf(question, reader);
  switch (question.status) {
    case 'pending':
      return { text: 'Waiting' };
    case 'answered':
      if (answer === undefined) return { text: `${who} answered`, ...(on === '' ? {} : { after: ` ${on}` }) };
      return { text: `${who} said `, ...said, ...(on === '' ? {} : { after: `, ${on}` }) };
    case 'declined':
      return { text: `${who} declined${answer === undefined || answer === '' ? '' : ': '}`, ...said };
    case 'expired':
      if (question.isDefault === true) return { text: 'Expired. The default was used: ', ...said };
      return { text: 'Expired. No one answered. That is not a no.' };
    case 'cancelled':
      return { text: `${nameOf(question)} took the question back` };
  }
}

/** "on this device", "on Pixel 8"; empty when the answer came by command or key. */
export function placeOf({ answeredOn }: QuestionView, { deviceName }: Reader): string {
  if (answeredOn === undefined || answeredOn === '') return '';
  return answeredOn === deviceName ? 'on this device' : `on ${answeredOn}`;
}

/** How many answers a question follows, oldest first, itself left out. */
export function chainOf(question: Asked, all: readonly Asked[]): Asked[] {
  const byId = new Map(all.map((each) => [each.id, each]));
  const chain: Asked[] = [];
  const seen = new Set([question.id]);
  let next = question.inReplyTo;
  while (next !== undefined && !seen.has(next)) {
    seen.add(next);
    const earlier = byId.get(next);
    if (earlier === undefined) break;
    chain.unshift(earlier);
    next = earlier.inReplyTo;
  }
  if (chain.length > 0 || question.threadId === undefined) return chain;
  // A follow-up may name only the thread.
  return all
    .filter(
      ({ threadId, id, askedAt }) => threadId === question.threadId && id !== question.id && askedAt < question.askedAt,
    )
    .toSorted((a, b) => (a.askedAt < b.askedAt ? -1 : 1));
}
