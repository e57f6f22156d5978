// What a caller has stored it finds at once, whichever way it looks, and however many others write and read meanwhile.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import type { HistoryQuery, SearchQuery } from '../../dist/ports/history.js';
import type { Store } from '../../dist/ports/store.js';
import { openCaller } from '../support/open-caller.js';
import { openStore, type OpenedStore } from './stores.js';

const sessionId = 'default';
const [callers, rounds] = [12, 8];
const reader = { kind: 'all' } as const;
let opened: OpenedStore;
let store: Store;

const any = { threadId: null, sender: null, recipient: null, type: null, status: null, since: null, until: null };
const history = (query: Partial<HistoryQuery>) =>
  store.queryHistory({ sessionId, ...any, before: null, limit: 1, withDeliveries: true, now: 1, ...query });
const search = (word: string): Promise<number[]> => {
  const query: SearchQuery = {
    ...any,
    sessionId,
    reader,
    terms: [{ words: [word], isPrefix: false }],
    position: null,
    limit: 5,
  };
  return store.searchMessages(query).then(({ hits }) => hits.map(({ message }) => message.seq));
};
const threadPage = (threadId: string) =>
  store.readThreadMessages({ sessionId, threadId, afterSeq: null, beforeSeq: null, fromSeq: 0, limit: 1 });

beforeAll(async () => {
  opened = await openStore();
  store = opened.store;
  const about = { name: null, description: null, capabilities: null, owner: 'open', at: 1, onlyIfMissing: false };
  for (let n = 0; n < callers; n++) await store.registerAgent({ sessionId, id: `a${n}`, ...about });
  await store.registerAgent({ sessionId, id: 'z', ...about });
});
afterAll(() => opened.close());

async function sendAndLook(agent: string, round: number): Promise<void> {
  const word = `${agent}word${round}`;
  const draft = { content: `about ${word}`, threadId: `t${agent}`, target: 'z' };
  const plan = planSend(openCaller(sessionId, agent), operations.sendMessage.input.parse(draft), 1);
  const stored = await store.appendMessage(plan);
  if ('refused' in stored) throw new Error(stored.refused.message);
  const { seq } = stored.appended;
  const [found, sent, got, page, feed] = await Promise.all([
    search(word),
    history({ sender: agent }),
    history({ recipient: 'z', sender: agent }),
    threadPage(`t${agent}`),
    store.readFeed({ sessionId, reader, afterSeq: seq - 1, limit: 1 }),
  ]);
  expect(found).toEqual([seq]);
  for (const { entries } of [sent, got]) expect(entries.map(({ message }) => message.seq)).toEqual([seq]);
  for (const { messages } of [page, feed]) expect(messages.map((message) => message.seq)).toEqual([seq]);
}

it('a message is found by its sender as soon as the send is answered', async () => {
  const all = Array.from({ length: callers }, async (_, n) => {
    for (let round = 0; round < rounds; round++) await sendAndLook(`a${n}`, round);
  });
  await Promise.all(all);
});
