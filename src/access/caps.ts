// How much a key, an address and all callers together may hold at once. In open mode only the hub's total counts: every
// caller is on this machine, and a team shares its address.
import { HubError, type ErrorCode } from '../contract/errors.js';
import { limits, type Limits } from '../contract/limits.js';
import type { Hold, Holder, Holding } from '../ports/caps.js';
import { networkOf } from './network.js';

interface CapRule {
  what: string;
  perKey: keyof Limits;
  perAddress: keyof Limits;
  inAll?: { limit: keyof Limits; code: ErrorCode };
  hint: string;
  /** The most that one request may hold; every cap allows at least that. */
  atLeast?: keyof Limits;
}

export interface Caps {
  wait: Hold;
  stream: Hold;
  body: Hold;
}

export function createCaps(): Caps {
  return {
    wait: capOf({
      what: 'parked waits',
      perKey: 'waitsPerKey',
      perAddress: 'waitsPerAddress',
      inAll: { limit: 'parkedWaits', code: 'TOO_MANY_WAITS' },
      hint: 'Call get_messages now, and wait again later. One wait per agent is enough.',
    }),
    stream: capOf({
      what: 'open event streams',
      perKey: 'streamsPerKey',
      perAddress: 'streamsPerAddress',
      hint: 'Close a stream of /v1/events that is no longer read; one shows all that the key may see.',
    }),
    body: capOf({
      what: 'bytes of unanswered requests',
      perKey: 'bodyBytesPerKey',
      perAddress: 'bodyBytesPerAddress',
      inAll: { limit: 'bodyBytes', code: 'BUSY' },
      hint: 'Wait for the answers to the other requests, then send this one again.',
      atLeast: 'requestBytes',
    }),
  };
}

const retryAfterMs = 1_000;

interface Counter {
  name: string;
  whose: string;
  limit: keyof Limits;
  code: ErrorCode;
}

function capOf(rule: CapRule): Hold {
  const held = new Map<string, number>();
  return (holder) => new CountedHolding(rule, held, countersOf(rule, holder));
}

function countersOf({ perKey, perAddress, inAll }: CapRule, { grant, address }: Holder): Counter[] {
  const counters: Counter[] = [];
  if (grant !== null) {
    const network = networkOf(address);
    counters.push({ name: `key ${grant.keyId}`, whose: 'This key', limit: perKey, code: 'LIMIT_REACHED' });
    counters.push({ name: `address ${network}`, whose: 'Your address', limit: perAddress, code: 'LIMIT_REACHED' });
  }
  if (inAll !== undefined) counters.push({ name: 'all', whose: 'This hub', ...inAll });
  return counters;
}

class CountedHolding implements Holding {
  readonly #rule: CapRule;
  readonly #held: Map<string, number>;
  readonly #counters: readonly Counter[];
  #amount = 0;

  constructor(rule: CapRule, held: Map<string, number>, counters: readonly Counter[]) {
    this.#rule = rule;
    this.#held = held;
    this.#counters = counters;
  }

  add(amount: number): void {
    for (const counter of this.#counters) this.#require(counter, amount);
    this.#change(amount);
    this.#amount += amount;
  }

  release(): void {
    if (this.#amount > 0) this.#change(-this.#amount);
    this.#amount = 0;
  }

  #require({ name, whose, limit: limitName, code }: Counter, amount: number): void {
    const { what, hint, atLeast } = this.#rule;
    const limit = Math.max(limits[limitName], atLeast === undefined ? 0 : limits[atLeast]);
    if ((this.#held.get(name) ?? 0) + amount <= limit) return;
    throw new HubError(code, `${whose} already has the most ${what} that are allowed, ${limit}.`, {
      hint,
      details: { limit, ...(code === 'BUSY' ? { retryAfterMs } : {}) },
    });
  }

  #change(amount: number): void {
    for (const { name } of this.#counters) {
      const count = (this.#held.get(name) ?? 0) + amount;
      if (count === 0) this.#held.delete(name);
      else this.#held.set(name, count);
    }
  }
}
