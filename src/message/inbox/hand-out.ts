// Builds the answer of get_messages and wait_for_mentions from leased or peeked copies.
import { cutMessage } from '../../contract/budget/cut-message.js';
import { answerFrameTokens, headerTokens } from '../../contract/budget/message-tokens.js';
import type { ModelReader } from '../../contract/budget/model-reader.js';
import { encodeCursor } from '../../contract/cursor.js';
import type { Message } from '../../contract/message.js';
import type { waitForMentions } from '../../contract/operations/wait-for-mentions.js';
import type { OutputOf } from '../../contract/operation.js';
import type { ThreadHeader } from '../../contract/thread.js';
import type { HandedCopies, LeasedCopies } from '../../ports/store.js';
import { viewCopy } from './view.js';

export type HandedOut = OutputOf<typeof waitForMentions>;

type Found = HandedCopies & {
  /** Headers that the reader has been shown before. */
  knownThreads?: readonly ThreadHeader[];
  cursor: string | null;
  waitedMs: number;
  timedOut: boolean;
};

export function handOut(reader: string, found: Found, model?: ModelReader): HandedOut {
  const messages = found.copies.map((copy) => viewCopy(copy, reader));
  const names = mentionedNames(messages, found.knownThreads ?? []);
  return {
    messages: model === undefined ? messages : cutToFit(messages, found.threads, model.tokensMax),
    ...(found.threads.length === 0 ? {} : { threads: found.threads }),
    ...(names.length === 0 ? {} : { names: Object.fromEntries(names) }),
    timedOut: found.timedOut,
    waitedMs: Math.round(found.waitedMs),
    hasMore: found.hasMore,
    cursor: found.cursor,
  };
}

function mentionedNames(messages: readonly Message[], threads: readonly ThreadHeader[]): [string, string][] {
  return messages.flatMap(({ threadId, mentions = [] }) => {
    const participants = threads.find((thread) => thread.threadId === threadId)?.participants ?? [];
    return participants.filter(({ id }) => mentions.includes(id)).map(({ id, name }): [string, string] => [id, name]);
  });
}

/** A message that is too long is the only one in its answer, and is cut to the budget that the thread headers leave. */
function cutToFit(messages: Message[], threads: ThreadHeader[], tokensMax: number): Message[] {
  const [only, ...others] = messages;
  if (only === undefined || others.length > 0) return messages;
  const headers = threads.reduce((sum, header) => sum + headerTokens(header), 0);
  return [cutMessage(only, tokensMax - answerFrameTokens - headers)];
}

/** Acknowledges the whole answer when passed to a later call. */
export function leaseCursor(lease: LeasedCopies): string | null {
  const [first] = lease.keys.toSorted((a, b) => a.rank - b.rank || a.seq - b.seq);
  if (first === undefined) return null;
  return encodeCursor({
    kind: 'lease',
    token: lease.token,
    count: lease.keys.length,
    rank: first.rank,
    seq: first.seq,
  });
}
