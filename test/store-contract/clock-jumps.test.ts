// How the ends of copies follow jumps of the wall clock, beside what ttl-clock.test.ts shows from outside.
import { describe, expect, it } from 'vitest';
import { operations } from '../../dist/contract/operations/index.js';
import { planSend } from '../../dist/message/send/send.js';
import { ClockJumps } from '../../dist/store/sqlite/inbox/clock-jumps.js';
import { eventually } from '../support/eventually.js';
import { openCaller } from '../support/open-caller.js';
import { openStore } from './stores.js';

const start = { now: 1_000_000, monotonicNow: 5_000 };
const hour = 3_600_000;

type Step = ConstructorParameters<typeof ClockJumps>[0];
/** A store without copies. */
const nothingToMove: Step = () => 'all';

function started(moveSome = nothingToMove): ClockJumps {
  const jumps = new ClockJumps(moveSome);
  jumps.follow(start, () => expect.unreachable('no jump, nothing to write'));
  return jumps;
}

/** Runs the change; what it writes to is the step's. */
const written: Parameters<ClockJumps['follow']>[1] = (change) => {
  change(undefined as never);
  return true;
};

const later = (elapsed: number, jump: number) => ({
  now: start.now + elapsed + jump,
  monotonicNow: start.monotonicNow + elapsed,
});

it('while a jump cannot be written, ends are compared with the time before it, and each batch tries again', () => {
  const jumps = started();
  const tries: boolean[] = [];
  const write =
    (succeeds: boolean): typeof written =>
    (change) => {
      tries.push(succeeds);
      return succeeds && written(change);
    };
  jumps.follow(later(10, hour), write(false));
  expect(jumps.now(0)).toBe(start.now + 10);
  jumps.follow(later(20, hour), write(false));
  expect(jumps.now(0)).toBe(start.now + 20);
  jumps.follow(later(30, hour), write(true));
  expect(jumps.now(0)).toBe(start.now + 30 + hour);
  jumps.follow(later(40, hour), write(true));
  expect(tries).toEqual([false, false, true]);
});

it('less than a second is left until it has added up', () => {
  const jumps = started();
  let writes = 0;
  for (let step = 1; step <= 20; step += 1) {
    jumps.follow(later(step, -step * 100), (change) => (writes += 1) > 0 && written(change));
  }
  expect(writes).toBe(2);
});

it.each([hour, -hour])(
  'a message that was made before a jump of %i and is stored after it has its full time',
  (jump) => {
    const jumps = started();
    const plan = { at: start.now, expiresAt: start.now + 60_000 };
    expect(jumps.endOf(plan)).toBe(plan.expiresAt);
    jumps.follow(later(5, jump), written);
    expect(jumps.endOf(plan)).toBe(start.now + 5 + jump + 60_000);
    expect(jumps.endOf({ ...plan, expiresAt: null })).toBeNull();
  },
);

it.each([hour, -hour])('while some ends have moved by %i and others have not, none is too early', (jump) => {
  const jumps = started(inTurns(3));
  const plan = { at: start.now, expiresAt: start.now + 60_000 };
  for (const elapsed of [10, 20]) {
    jumps.follow(later(elapsed, jump), written);
    expect(jumps.isMoving).toBe(true);
    expect(jumps.now(0)).toBe(start.now + elapsed + Math.min(0, jump));
    // What is stored now is not moved any more.
    expect(jumps.endOf(plan)).toBe(start.now + elapsed + jump + 60_000);
  }
  jumps.follow(later(30, jump), written);
  expect([jumps.isMoving, jumps.now(0)]).toEqual([false, start.now + 30 + jump]);
});

it.each([hour, -hour])('a jump of %i that is corrected while ends are moved makes none too early', (jump) => {
  const jumps = started(inTurns(3));
  const plan = { at: start.now + 20, expiresAt: start.now + 20 + 60_000 };
  jumps.follow(later(10, jump), written);
  jumps.follow(later(20, 0), written);
  expect(jumps.isMoving).toBe(true);
  expect(jumps.now(0)).toBe(start.now + 20 + Math.min(0, jump));
  // It ends by the time to which the others are being moved, and is moved back with them.
  expect(jumps.endOf(plan)).toBe(plan.expiresAt + jump);
  jumps.follow(later(30, 0), written);
  expect([jumps.isMoving, jumps.now(0)]).toEqual([false, start.now + 30 + jump]);
});

/** A move of so many steps. */
function inTurns(count: number): Step {
  let steps = 0;
  return (_, move) => {
    steps += 1;
    // Long enough that each is one turn.
    const until = performance.now() + 20;
    while (performance.now() < until);
    return steps < count ? { jump: typeof move === 'number' ? move : move.jump, upTo: 9, reached: steps } : 'all';
  };
}

describe('many ends', () => {
  const agents = Array.from({ length: 200 }, (_, index) => `a${index}`);
  const nothing = { name: null, description: null, capabilities: null, owner: 'open', at: 1, onlyIfMissing: false };
  const sessionId = 'default';

  it.each([hour, -hour])(
    'move by %i in steps between calls, each once, and what is sent meanwhile ends in time',
    async (jump) => {
      let [now, monotonic] = [10 * hour, 0];
      const clock = { now: () => now, monotonic: () => monotonic };
      const opened = await openStore({ clock });
      const { store } = opened;
      for (const id of agents) await store.registerAgent({ sessionId, id, ...nothing });
      await store.setGroups({ sessionId, groups: [{ name: 'crew', members: agents }], at: 1, audit: null });
      const send = async (target: string) => {
        const draft = operations.sendMessage.input.parse({ target, content: 'x', ttl: 60 });
        const sent = await store.appendMessage(planSend(openCaller(sessionId, 'a0'), draft, now));
        if (!('appended' in sent)) throw new Error('not sent');
        return sent.appended;
      };
      for (let sent = 0; sent < 100; sent += 1, now += 1, monotonic += 1) await send('crew');
      const ends = () =>
        opened.sql(
          'select seq, min(expires_at) as first, max(expires_at) as last from pending group by seq order by seq',
        );
      const before = await ends();
      now += jump;
      await store.countUnread({ sessionId, agentId: 'a0' });
      const meanwhile = await send('a1');
      const moved = async () =>
        (await ends()).filter(({ first }, index) => Number(first) !== Number(before[index]?.['first']));
      // The writer goes on by itself while nobody calls.
      await eventually('all have moved', async () => (await moved()).length === before.length + 1);
      const after = await ends();
      expect(after.slice(0, 100)).toEqual(
        before.map(({ seq, first, last }) => ({ seq, first: Number(first) + jump, last: Number(last) + jump })),
      );
      expect(after.at(-1)).toMatchObject({ seq: meanwhile.seq, first: now + 60_000 });
      const messages = await opened.sql('select seq, expires_at as last from message order by seq');
      expect(messages).toEqual(after.map(({ seq, last }) => ({ seq, last })));
      const { copies } = await store.leaseCopies({
        sessionId,
        agentId: 'a1',
        filter: { wakingOnly: false },
        limit: 500,
        token: 'x',
        isManual: true,
        now,
        monotonicNow: monotonic,
        leaseMs: 10_000,
        tokensMax: null,
      });
      expect(copies).toHaveLength(101);
      await opened.close();
    },
  );
});

it('without a clock, the time of each call counts', () => {
  const jumps = new ClockJumps();
  expect(jumps.now(7)).toBe(7);
  expect(jumps.endOf({ at: 7, expiresAt: 8 })).toBe(8);
});
