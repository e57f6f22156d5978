// The totals of /metrics: exact up to a limit, and counted no further.
import { afterEach, expect, it } from 'vitest';
import { limits, setLimits } from '../../dist/contract/limits.js';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import type { Store, Tallies } from '../../dist/ports/store.js';
import { openCaller } from '../support/open-caller.js';
import { openStore } from './stores.js';

const sessionId = 'default';
const given = { ...limits };
afterEach(() => setLimits(given));

/** Seven agents; of eight copies three are delivered. */
async function totalsUpTo(totals: number): Promise<Tallies> {
  // Before it is opened: the reader's thread on SQLite gets the limits then.
  setLimits({ totals });
  const opened = await openStore();
  const { store } = opened;
  try {
    const nothing = { name: null, description: null, capabilities: null, owner: 'open', at: 1, onlyIfMissing: false };
    for (const id of ['ann', 'ben', 'cy', 'dan', 'eve', 'flo', 'gus']) {
      await store.registerAgent({ sessionId, id, ...nothing });
    }
    for (let n = 0; n < 8; n++) await send(store);
    const filter = { wakingOnly: false };
    const times = { now: 2, monotonicNow: 0, leaseMs: 10_000, tokensMax: null };
    await store.leaseCopies({ sessionId, agentId: 'ben', filter, limit: 3, token: 'x', isManual: true, ...times });
    return await store.tallies();
  } finally {
    await opened.close();
  }
}

function send(store: Store) {
  const draft = operations.sendMessage.input.parse({ target: 'ben', content: 'hello' });
  return store.appendMessage(planSend(openCaller(sessionId, 'ann'), draft, 1));
}

it('are exact below the limit', async () => {
  expect(await totalsUpTo(8)).toEqual({ pending: 5, delivered: 3, messages: 8, agents: 7, threads: 0 });
});

it('count no further than the limit, but all messages', async () => {
  expect(await totalsUpTo(4)).toEqual({ pending: 4, delivered: 3, messages: 8, agents: 4, threads: 0 });
});
