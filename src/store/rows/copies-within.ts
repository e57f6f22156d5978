// Selects copies, in inbox order, up to the reader's token budget; the rest stays in the inbox.
import {
  answerFrameTokens,
  frameTokensMax,
  headerTokens,
  messageTokens,
  tokensPerCharacterMax,
} from '../../contract/budget/message-tokens.js';
import type { ThreadHeader } from '../../contract/thread.js';
import { viewCopy } from '../../message/inbox/view.js';
import type { HandedCopy, LeaseRequest } from '../../ports/store.js';
import { toCopy, type CopyRow } from './copy-row.js';

interface Within {
  copies: HandedCopy[];
  threads: ThreadHeader[];
}

interface Facts {
  salt: number;
  /** Of the threads of these copies, in the same order. */
  headersOf: (copies: readonly HandedCopy[]) => ThreadHeader[];
}

type Request = Pick<LeaseRequest, 'agentId' | 'tokensMax'>;

export function copiesWithin({ agentId, tokensMax }: Request, rows: readonly CopyRow[], facts: Facts): Within {
  const { salt } = facts;
  if (tokensMax === null || areSurelyWithin(rows, tokensMax)) {
    const copies = rows.map((row) => toCopy(row, salt, row.attempts + 1));
    return { copies, threads: facts.headersOf(copies) };
  }
  const within: Within = { copies: [], threads: [] };
  let left = tokensMax - answerFrameTokens;
  for (const row of rows) {
    const copy = toCopy(row, salt, row.attempts + 1);
    const known = within.threads.find(({ threadId }) => threadId === row.thread_id);
    const [header] = known === undefined ? facts.headersOf([copy]) : [];
    left -= messageTokens(viewCopy(copy, agentId), known ?? header) + (header === undefined ? 0 : headerTokens(header));
    // Always at least one, truncated if necessary: an empty result would leave the inbox stuck.
    if (left < 0 && within.copies.length > 0) return within;
    within.copies.push(copy);
    if (header !== undefined) within.threads.push(header);
  }
  return within;
}

/** Skips token counting for most results: the length gives an upper bound. */
function areSurelyWithin(rows: readonly CopyRow[], tokensMax: number): boolean {
  let tokens = answerFrameTokens;
  for (const { content, mentions, extras } of rows) {
    const characters = content.length + (mentions?.length ?? 0) + (extras?.length ?? 0);
    tokens += frameTokensMax + tokensPerCharacterMax * characters;
  }
  return tokens <= tokensMax;
}
