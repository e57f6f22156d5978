// search_messages: full-text search over the messages the caller may read.
import { auditRead, type AuditPorts } from '../../access/audit-read.js';
import { cutMessage } from '../../contract/budget/cut-message.js';
import type { ModelReader } from '../../contract/budget/model-reader.js';
import { encodeCursor } from '../../contract/cursor.js';
import { HubError } from '../../contract/errors.js';
import { limits } from '../../contract/limits.js';
import type { searchMessages as contract } from '../../contract/operations/search-messages.js';
import type { InputOf, OutputOf } from '../../contract/operation.js';
import { readerOf, type Caller } from '../../ports/caller.js';
import type { SearchPage, SearchPosition, SearchQuery } from '../../ports/history.js';
import type { Store } from '../../ports/store.js';
import { notACursor, cursorFields, requireOrder } from './history.js';
import { fitMessages } from '../inbox/fit-messages.js';
import { parseSearchQuery } from './search-text.js';
import { viewMessage } from '../inbox/view.js';

export interface SearchPorts extends AuditPorts {
  store: Pick<Store, 'searchMessages'> & AuditPorts['store'];
}

export async function searchMessages(
  ports: SearchPorts,
  caller: Caller,
  { input, model }: { input: InputOf<typeof contract>; model?: ModelReader | undefined },
): Promise<OutputOf<typeof contract>> {
  requireOrder(input);
  const reader = readerOf(caller);
  const { hits, next, window } = await ports.store.searchMessages({
    sessionId: caller.sessionId,
    reader,
    terms: termsOf(input.query),
    threadId: input.threadId ?? null,
    sender: input.from ?? null,
    type: input.messageType ?? null,
    since: input.since ?? null,
    until: input.until ?? null,
    position: input.cursor === undefined ? null : positionOf(input.cursor),
    limit: input.limit,
  });
  if (reader.kind === 'all') {
    const details = { threadId: input.threadId, from: input.from, messages: hits.length };
    await auditRead(ports, caller, { act: 'search_messages', target: input.threadId ?? '', details });
  }
  const found = hits.map(({ message, snippet }) => {
    const view = viewMessage(message, caller.agentId);
    return { ...(model === undefined ? view : cutMessage(view, hitTokens)), snippet };
  });
  const messages = fitMessages(found, model);
  const last = hits[messages.length - 1];
  const isShort = messages.length < found.length && last !== undefined;
  const position = isShort ? positionAfter(window, last) : next;
  return { messages, hasMore: position !== null, cursor: position === null ? null : cursorOf(position) };
}

/** How much of a hit a model is shown beside the snippet; get_messages has the whole message. */
const hitTokens = 400;

function positionAfter(
  { top, floor }: SearchPage['window'],
  { score, message }: SearchPage['hits'][number],
): SearchPosition {
  return { top, shown: { floor, score, seq: message.seq } };
}

function termsOf(query: string): SearchQuery['terms'] {
  const terms = parseSearchQuery(query);
  const count = terms.reduce((words, term) => words + term.words.length, 0);
  if (count === 0) throw queryRefused('has no word to search for', 'Give at least one word of letters or digits.');
  if (count > limits.searchWords)
    throw queryRefused(`has more than ${limits.searchWords} words`, 'Give fewer words: all of them must occur.');
  return terms;
}

function queryRefused(problem: string, hint: string): HubError {
  return new HubError('INVALID_INPUT', `query: ${problem}.`, { hint, details: { field: 'query', problem } });
}

function cursorOf({ top, shown }: SearchPosition): string {
  return encodeCursor({ kind: 'position', after: shown === null ? [top] : [top, shown.floor, shown.score, shown.seq] });
}

function positionOf(text: string): SearchPosition {
  const [top, floor, score, seq, ...rest] = cursorFields(text);
  if (top === undefined || rest.length > 0) throw notACursor();
  if (floor === undefined) return { top, shown: null };
  if (score === undefined || seq === undefined) throw notACursor();
  return { top, shown: { floor, score, seq } };
}
