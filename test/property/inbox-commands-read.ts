// A reader's calls: take, look, and say what became of an answer.
import { expect } from 'vitest';
import type { HandedCopies, InboxFilter, LeasedCopies } from '../../dist/ports/store.js';
import { InboxCall, type Step } from './inbox-command.js';
import type { Copy, Inbox } from './inbox-model.js';
import { expectUnread, manualLeaseMs, type World } from './inbox-world.js';

/** Never over by itself: an automatic lease ends with its connection, or with the hub. */
const automaticLeaseMs = 1e12;

export interface Reading {
  agent: string;
  limit: number;
  filter: InboxFilter;
}

const keyOf = ({ lane, rank, seq }: Copy) => ({ lane, rank, seq });

/** The copy as its reader gets it, with this attempt. */
function handed(copy: Copy, attempt: number): HandedCopies['copies'][number] {
  return { key: keyOf(copy), message: copy.message, why: copy.why, redelivered: attempt > 1, attempt };
}

export class Take extends InboxCall {
  readonly #reading: Reading;
  readonly #isManual: boolean;

  constructor(reading: Reading, isManual: boolean) {
    super();
    this.#reading = reading;
    this.#isManual = isManual;
  }

  start(model: Inbox, world: World): Step {
    const step = this.startAmongOthers(model, world);
    const compare = (answer: unknown) => {
      step.compare(answer);
      expectUnread(model, this.#reading.agent, (answer as { unread: number }).unread);
    };
    return { answer: step.answer, compare };
  }

  /** Without what others may have changed when the answer is looked at. */
  startAmongOthers(model: Inbox, world: World): Step {
    const { agent, filter, limit } = this.#reading;
    const isManual = this.#isManual;
    const { now, monotonic: monotonicNow } = model;
    const free = model.free(agent, filter);
    const taken = free.slice(0, limit);
    const lease = { token: world.nextToken(), isManual, leaseMs: isManual ? manualLeaseMs : automaticLeaseMs };
    for (const copy of taken) model.take(copy, lease);
    const expected = taken.map((copy) => handed(copy, copy.attempts));
    const whose = { sessionId: world.sessionId, agentId: agent };
    model.leases.push({ ...whose, token: lease.token, keys: taken.map(keyOf) });
    return {
      answer: world.store.leaseCopies({ ...whose, filter, limit, ...lease, now, monotonicNow, tokensMax: null }),
      compare(answer) {
        const { copies, hasMore, threads } = answer as HandedCopies;
        expect(copies, `what ${agent} was handed`).toEqual(expected);
        expect(hasMore, 'whether more waits').toBe(free.length > limit);
        expect(new Set(threads.map(({ threadId }) => threadId)), 'threads of what was handed').toEqual(
          threadsOf(taken),
        );
        world.noteHanded(agent, copies);
      },
    };
  }

  toString(): string {
    return `Take${this.#isManual ? 'Manually' : ''}(${JSON.stringify(this.#reading)})`;
  }
}

function threadsOf(copies: readonly Copy[]): Set<string> {
  return new Set(copies.flatMap(({ message: { threadId } }) => (threadId === null ? [] : [threadId])));
}

/** Looks through the whole inbox, page by page. */
export class Peek extends InboxCall {
  readonly #reading: Reading;

  constructor(reading: Reading) {
    super();
    this.#reading = reading;
  }

  start(model: Inbox, world: World): Step {
    const { agent, filter } = this.#reading;
    const expected = model.free(agent, filter).map((copy) => handed(copy, copy.attempts + 1));
    return {
      answer: this.#allPages(model.now, world),
      compare: (copies) => expect(copies, `what ${agent} saw`).toEqual(expected),
    };
  }

  async #allPages(now: number, { store, sessionId }: World): Promise<HandedCopies['copies']> {
    const { agent: agentId, limit, filter } = this.#reading;
    const copies: HandedCopies['copies'] = [];
    for (;;) {
      const after = copies.at(-1)?.key ?? null;
      const page = await store.peekCopies({ sessionId, agentId, filter, limit, after, now });
      copies.push(...page.copies);
      if (!page.hasMore) return copies;
    }
  }

  toString(): string {
    return `Peek(${JSON.stringify(this.#reading)})`;
  }
}

/** In whatever order: they are counted and no more. */
function expectSeqs(given: unknown, copies: readonly Copy[], what: string): void {
  expect(new Set(given as number[]), what).toEqual(new Set(copies.map(({ seq }) => seq)));
}

export type Verdict = 'arrived' | 'lost' | 'unsent' | 'taken back';

/** What became of some lease, be it the last one or one long over. */
export class Settle extends InboxCall {
  readonly #back: number;
  readonly #isPart: boolean;
  readonly #verdict: Verdict;

  /** `back`: which lease, counted from the last one. `isPart`: only its first copy. */
  constructor(verdict: Verdict, back: number, isPart: boolean) {
    super();
    this.#verdict = verdict;
    this.#back = back;
    this.#isPart = isPart;
  }

  override check({ leases }: Readonly<Inbox>): boolean {
    return leases.length > 0;
  }

  start(model: Inbox, world: World): Step {
    const given = model.leases.at(-1 - (this.#back % model.leases.length));
    if (given === undefined) throw new Error('check() lets no one come here');
    const lease = { ...given, keys: given.keys.slice(0, this.#isPart ? 1 : given.keys.length) };
    const answer = this.#tell(lease, world, model.now);
    const changed = this.#change(lease, model, world);
    return {
      answer,
      compare: (seqs) => expectSeqs(seqs, changed, `seqs of ${lease.token} that ${this.#verdict}`),
    };
  }

  #tell(lease: LeasedCopies, { store }: World, at: number): Promise<number[]> {
    if (this.#verdict === 'arrived') return store.confirmLease({ ...lease, at });
    if (this.#verdict === 'taken back') return store.reopenCopies({ ...lease, at });
    return store.releaseLease({ ...lease, unsent: this.#verdict === 'unsent' });
  }

  #change(lease: LeasedCopies, model: Inbox, world: World): Copy[] {
    if (this.#verdict === 'taken back') return model.reopen(lease);
    const held = model.held(lease);
    // Unmarked only in its place: nothing was handed out since. Several hubs never know that.
    const isLast = !world.opened.isShared && model.lastLeases.get(lease.agentId) === lease.token;
    for (const copy of held) {
      if (this.#verdict === 'arrived') model.end(copy, 'read', null);
      else model.release(copy, this.#verdict === 'unsent' && isLast);
    }
    if (this.#verdict === 'unsent') world.noteUnsent(lease.agentId, held);
    return held;
  }

  toString(): string {
    return `Settle(${this.#verdict}, ${this.#back}${this.#isPart ? ', its first' : ''})`;
  }
}

/** By hand, up to a seq: whatever this reader holds, of any lease. */
export class AcknowledgeUpTo extends InboxCall {
  readonly #agent: string;
  readonly #upTo: number;

  constructor(agent: string, upTo: number) {
    super();
    this.#agent = agent;
    this.#upTo = upTo;
  }

  start(model: Inbox, world: World): Step {
    const held = model.copies.filter(
      ({ agent, state, seq }) => agent === this.#agent && state === 'delivered' && seq <= this.#upTo,
    );
    for (const copy of held) model.end(copy, 'read', null);
    return {
      answer: this.#acknowledge(world, model.now),
      compare: (seqs) => expectSeqs(seqs, held, 'acknowledged seqs'),
    };
  }

  async #acknowledge({ store, sessionId }: World, at: number): Promise<number[]> {
    const query = { sessionId, agentId: this.#agent, ids: null, upTo: this.#upTo };
    const { leases } = await store.findLeased(query);
    const confirmed = leases.map((lease) => store.confirmLease({ ...lease, at }));
    await store.lastSeq({ sessionId });
    return (await Promise.all(confirmed)).flat().toSorted((a, b) => a - b);
  }

  toString(): string {
    return `AcknowledgeUpTo(${this.#agent}, ${this.#upTo})`;
  }
}
