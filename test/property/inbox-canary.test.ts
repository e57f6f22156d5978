// Proves that the property can fail: each store here has one fault planted, and each must be found.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HandedCopy, Store } from '../../dist/ports/store.js';
import { InboxRuns } from './inbox-property.js';
import { openInboxStore } from './inbox-store.js';
import type { OpenStore } from './inbox-world.js';

interface Fault {
  name: string;
  plant(store: Store): Partial<Store>;
}

function changingHanded(store: Store, change: (copies: HandedCopy[]) => HandedCopy[]): Partial<Store> {
  return {
    async leaseCopies(request) {
      const handed = await store.leaseCopies(request);
      return { ...handed, copies: change(handed.copies) };
    },
  };
}

const faults: Fault[] = [
  {
    name: 'an old token confirms too',
    plant: (store) => ({
      async confirmLease({ at, ...lease }) {
        const { sessionId, agentId } = lease;
        const seqs = new Set(lease.keys.map(({ seq }) => seq));
        const { leases } = await store.findLeased({ sessionId, agentId, ids: null, upTo: 1_000 });
        const named = leases.map((held) => ({ ...held, keys: held.keys.filter(({ seq }) => seqs.has(seq)), at }));
        const confirmed = await Promise.all(named.map((held) => store.confirmLease(held)));
        return confirmed.flat();
      },
    }),
  },
  {
    name: 'the mark of a redelivery is lost',
    plant: (store) => changingHanded(store, (copies) => copies.map((copy) => ({ ...copy, redelivered: false }))),
  },
  {
    name: 'equals in rank change places',
    plant: (store) =>
      changingHanded(store, (copies) => copies.toSorted((a, b) => a.key.rank - b.key.rank || b.key.seq - a.key.seq)),
  },
  {
    name: 'what is expired is handed out until the reaper comes',
    plant: (store) => ({ leaseCopies: (request) => store.leaseCopies({ ...request, now: 0 }) }),
  },
  {
    name: 'a filter holds interrupts back',
    plant: (store) => ({
      async leaseCopies(request) {
        const handed = await store.leaseCopies(request);
        const isFiltered = Object.keys(request.filter).length > 1;
        return { ...handed, copies: handed.copies.filter(({ key }) => !isFiltered || key.rank > 0) };
      },
    }),
  },
  {
    name: 'a lost answer counts as read',
    plant: (store) => ({ releaseLease: (lease) => store.confirmLease({ ...lease, at: 0 }) }),
  },
  {
    name: 'what never left the hub comes back marked',
    plant: (store) => ({ releaseLease: (lease) => store.releaseLease({ ...lease, unsent: false }) }),
  },
  {
    name: 'a key is forgotten',
    plant: (store) => ({ appendMessage: (plan) => store.appendMessage({ ...plan, key: null }) }),
  },
  {
    name: 'a lease that ran out too often comes back all the same',
    plant: (store) => ({ reap: (time) => store.reap({ ...time, runOutsMax: 1_000 }) }),
  },
  {
    name: 'a sender that wants to know is not told',
    plant: (store) => ({ appendMessage: (plan) => store.appendMessage({ ...plan, wantsReceipt: false }) }),
  },
];

function planted(fault: Fault): OpenStore {
  return async () => {
    const opened = await openInboxStore();
    const wrap = (store: Store) => ({ ...store, ...fault.plant(store) });
    const faulty = {
      store: wrap(opened.store),
      isShared: opened.isShared,
      async restart() {
        faulty.store = wrap(await opened.restart());
        return faulty.store;
      },
      close: () => opened.close(),
    };
    return faulty;
  };
}

describe('the property finds', () => {
  it.each(faults)('$name', { timeout: 120_000 }, async (fault) => {
    const runs = new InboxRuns(planted(fault));
    const details = await fc.check(runs.property, { seed: 1, numRuns: 50, endOnFailure: true });
    await runs.close();
    expect(details.failed, 'found').toBe(true);
    // Found by comparing, not by stumbling over it.
    expect(details.errorInstance).toMatchObject({ name: 'AssertionError' });
  });
});

it('a kept seed leads back to its failure', { timeout: 120_000 }, async () => {
  const fault = faults.at(-1);
  if (fault === undefined) throw new Error('no fault');
  const runs = new InboxRuns(planted(fault));
  const found = await fc.check(runs.property, { seed: 1, numRuns: 50, endOnFailure: true });
  const path = found.counterexamplePath ?? '';
  const again = await fc.check(runs.property, { seed: 1, path, numRuns: 1, endOnFailure: true });
  await runs.close();
  expect(again.failed).toBe(true);
  expect(fc.stringify(again.counterexample)).toBe(fc.stringify(found.counterexample));
});
