// What callers hold at once is counted exactly, in whatever order they take and give back.
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCaps } from '../../dist/access/caps.js';
import { HubError } from '../../dist/contract/errors.js';
import { limits } from '../../dist/contract/limits.js';
import type { Grant } from '../../dist/ports/caller.js';
import type { Holder, Holding } from '../../dist/ports/caps.js';

const open: Holder = { grant: null, address: '127.0.0.1' };

function holderOf(keyId: string, address: string): Holder {
  const grant: Grant = {
    keyId,
    signInId: null,
    sessionId: 'default',
    agentId: 'ann',
    capabilities: new Set(['read']),
    expiresAt: null,
    isPerson: false,
    device: null,
  };
  return { grant, address };
}

/** Two keys at one address, another elsewhere, and a caller in open mode. */
const held = { open, a: holderOf('a', '10.0.0.1'), b: holderOf('b', '10.0.0.1'), c: holderOf('c', '::1') };
const names = Object.keys(held) as (keyof typeof held)[];

function refusalOf(add: () => void): string | undefined {
  try {
    add();
    return undefined;
  } catch (error) {
    return error instanceof HubError ? error.code : String(error);
  }
}

interface Taken {
  holder: keyof typeof held;
  holding: Holding;
  amount: number;
}

it('no order of taking and giving back lets more be held than allowed, or loses a place', () => {
  const { waitsPerKey: perKey, waitsPerAddress: perAddress, parkedWaits: inAll } = limits;
  const step = fc.record({
    holder: fc.constantFrom(...names),
    amount: fc.integer({ min: 1, max: 150 }),
    end: fc.nat(9),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const { wait } = createCaps();
      let taken: Taken[] = [];
      const sum = (whose: readonly string[]) =>
        taken.filter(({ holder }) => whose.includes(holder)).reduce((all, { amount }) => all + amount, 0);
      for (const { holder, amount, end } of steps) {
        const isRoom =
          sum(names) + amount <= inAll &&
          (holder === 'open' ||
            (sum([holder]) + amount <= perKey && sum(holder === 'c' ? ['c'] : ['a', 'b']) + amount <= perAddress));
        const holding = wait(held[holder]);
        const refused = refusalOf(() => holding.add(amount));
        expect(refused === undefined).toBe(isRoom);
        if (refused === undefined) taken.push({ holder, holding, amount });
        const ended = taken[end];
        // Each is given back twice: an end may be told of in two ways.
        ended?.holding.release();
        ended?.holding.release();
        taken = taken.filter((one) => one !== ended);
      }
      for (const { holding } of taken) holding.release();
      wait(held.a).add(perKey);
      wait(open).add(inAll - perKey);
      expect(refusalOf(() => wait(open).add(1))).toBe('TOO_MANY_WAITS');
    }),
  );
});

it('a holding that grows is refused as a whole step, and gives back all of its steps', () => {
  const { body } = createCaps();
  const holding = body(held.a);
  holding.add(limits.bodyBytesPerKey - 1);
  expect(refusalOf(() => holding.add(2))).toBe('LIMIT_REACHED');
  holding.add(1);
  holding.release();
  body(held.a).add(limits.bodyBytesPerKey);
});

it('bytes of all callers are refused beyond the hub’s number, in open mode too', () => {
  const { body } = createCaps();
  body(open).add(limits.bodyBytes - 1);
  expect(refusalOf(() => body(held.a).add(2))).toBe('BUSY');
  body(held.a).add(1);
});
