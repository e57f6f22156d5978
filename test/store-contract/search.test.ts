// Who finds what: readers that are no admins see their own, what they got, and the threads they are in.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorize } from '../../dist/access/authorize.js';
import { operations } from '../../dist/contract/operations/index.js';
import { getSentMessages } from '../../dist/message/history/history.js';
import { searchMessages } from '../../dist/message/history/search.js';
import { planSend } from '../../dist/message/send/send.js';
import type { Store } from '../../dist/ports/store.js';
import { systemClock } from '../../dist/runtime/system-clock.js';
import { cliAudit } from '../support/cli-audit.js';
import { openStore, type OpenedStore } from './stores.js';

const sessionId = 'default';
let opened: OpenedStore;
let store: Store;

const as = (agentId: string) => {
  return {
    sessionId,
    agentId,
    capabilities: new Set(['send', 'read'] as const),
    owner: agentId,
    connectAs: String,
    grant: null,
    address: '',
  };
};
const send = (agent: string, draft: Record<string, unknown>) =>
  store.appendMessage(planSend(as(agent), operations.sendMessage.input.parse(draft), Date.now()));

async function register(id: string): Promise<void> {
  const nothing = { name: null, description: null, capabilities: null };
  await store.registerAgent({ sessionId, id, ...nothing, owner: 'open', at: 1, onlyIfMissing: false });
}

const change = (by: string, kind: 'add' | 'remove', participantId: string) => {
  const plan = { sessionId, threadId: 't', by, isAdmin: false, at: 2, audit: cliAudit(sessionId) };
  return store.changeThread({ ...plan, change: { kind, participantId } });
};

async function found(agent: string, query = 'plan'): Promise<number[]> {
  const page = await searchMessages({ store, clock: systemClock }, as(agent), {
    input: operations.searchMessages.input.parse({ query }),
  });
  return page.messages.map(({ seq }) => seq).toSorted((a, b) => a - b);
}

beforeAll(async () => {
  opened = await openStore();
  store = opened.store;
  for (const id of ['ann', 'ben', 'cyn', 'dan']) await register(id);
  const kind = { isAdmin: false, isPrivate: true, critical: null, key: null, opening: null, at: 1 };
  // Seq 1 is the notice that Ben was put in it.
  await store.createThread({ sessionId, threadId: 't', title: 'T', creator: 'ann', participants: ['ben'], ...kind });
  await send('ann', { threadId: 't', content: 'plan one' });
  await send('ann', { target: 'cyn', content: 'plan two' });
  await send('dan', { target: 'eve', content: 'plan three, for one who is not here yet' });
});
afterAll(async () => {
  await opened.close();
});

describe('a reader finds', () => {
  it('what it sent, what it got and what its threads hold, and nothing else', async () => {
    expect(await found('ann')).toEqual([2, 3]);
    expect(await found('ben')).toEqual([2]);
    expect(await found('cyn')).toEqual([3]);
    expect(await found('dan')).toEqual([4]);
  });

  it('what stood in a thread before it joined, until it leaves', async () => {
    await change('ann', 'add', 'dan');
    expect(await found('dan')).toEqual([2, 4]);
    await send('ann', { threadId: 't', content: 'plan four, which dan is not handed before he goes' });
    await change('ann', 'remove', 'dan');
    expect(await found('dan')).toEqual([4]);
  });

  it('no dead letter that waited for its name', async () => {
    await register('eve');
    expect(await found('eve')).toEqual([]);
  });
});

describe('one that is no admin', () => {
  it('is refused the history', () => {
    expect(() => authorize(operations.queryMessageHistory, as('ann'))).toThrow(/may not call query_message_history/);
    expect(() => authorize(operations.searchMessages, as('ann'))).not.toThrow();
  });

  it('reads its own outbox and no other', async () => {
    const outbox = (source?: string) =>
      getSentMessages({ store, clock: systemClock }, as('cyn'), {
        input: operations.getSentMessages.input.parse({ source }),
      });
    expect((await outbox()).messages).toEqual([]);
    expect((await outbox('cyn')).messages).toEqual([]);
    await expect(outbox('ann')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
