// Leases copies for waits parked at this hub, in the transaction that stores the copies: the answer needs no second commit. A
// batch claims the waits it may hand copies to; a claimed wait's reads run after that batch.
import { isUnfiltered } from '../../../notify/digest.js';
import type { Clock } from '../../../ports/clock.js';
import type { HandedOver, LeaseRequest, TakenCopies, WaitReference } from '../../../ports/store.js';
import { toCopy, type CopyRow } from '../../rows/copy-row.js';
import { KeptWaits } from '../../rules/kept-waits.js';
import { bigintColumn, integerColumn, textColumn } from '../send/column-parameter.js';
import type { Planned } from '../send/plan-batch.js';
import { cachedOrCurrentSession } from '../session/sessions.js';
import { headersOf } from '../thread/thread-headers.js';
import type { SqlValue, Tx } from '../connection/transaction.js';
import { undoLostLease } from './lease-at-once.js';

export interface HandOverOptions {
  clock: Pick<Clock, 'now' | 'monotonic'>;
  onHanded: (handed: readonly HandedOver[]) => void;
}

/** Of one batch, and for each of them, so that its answer stays short: at most 32 MB. Hints wake the others. */
const claimedMax = 16;
const copiesMax = 8;

/** What `lease_for_waits` answers for one wait. */
export interface LeasedForWait {
  place: number;
  copies: Omit<CopyRow, 'notice'>[];
  hasMore: boolean;
  unread: number;
}

/** Waits that a batch may hand copies to. */
export interface Claim {
  waits: readonly LeaseRequest[];
  now: number;
  leasedAt: number;
  /** The batch is over. */
  end: () => void;
}

export class HandOver {
  readonly #options: HandOverOptions;
  readonly #waits = new KeptWaits();
  /** By token; resolved when the batch that has claimed the wait is over. */
  readonly #claims = new Map<string, Promise<void>>();
  /** Tokens of waits that are reading. */
  readonly #reading = new Set<string>();

  constructor(options: HandOverOptions) {
    this.#options = options;
  }

  /** The read of a wait, or of anyone else. */
  async lease(request: LeaseRequest, run: (request: LeaseRequest) => Promise<TakenCopies>): Promise<TakenCopies> {
    const { wait, token } = request;
    if (wait === undefined) return run(request);
    if (wait !== 'first') {
      await this.#claims.get(token);
      if (!this.#waits.isKept(request)) return { copies: [], hasMore: false, threads: [], unread: 0 };
    }
    // Before it reads, so that a wait that comes later and reads faster is not served before it.
    this.#waits.keep(request);
    this.#reading.add(token);
    let isKept = false;
    try {
      const taken = await run(request);
      // A wait whose copies must be filed first has not read yet.
      isKept = (wait !== 'last' || taken.mustFile === true) && taken.copies.length === 0;
      return taken;
    } finally {
      this.#reading.delete(token);
      if (!isKept) this.#waits.forget(request);
    }
  }

  /** What a batch in flight hands to it is returned by the hub, which no longer knows the wait. */
  async endWait(wait: WaitReference): Promise<boolean> {
    this.#waits.forget(wait);
    await this.#claims.get(wait.token);
    return false;
  }

  /**
   * The waits that take a copy of these sends, the first to come first. A copy whose first taker filters or is reading is left to
   * hints: filters are rare, and a read that is under way may have missed the copy or take it itself.
   */
  claim(sends: readonly Planned[]): Claim | undefined {
    const waits: LeaseRequest[] = [];
    for (const { plan, routed } of sends) {
      const { sessionId, sender, action } = plan;
      const { recipients, threadId } = routed.route;
      for (const { id: agentId, isWaking } of recipients) {
        if (!this.#waits.hasWaitOf(sessionId, agentId)) continue;
        const isInterrupt = action === 'interrupt';
        const copy = { sessionId, agentId, seq: 0, threadId, sender, isWaking, isInterrupt };
        const free = this.#waits.takersOf(copy).filter((wait) => !this.#claims.has(wait.token));
        const first = free.find((wait) => !waits.includes(wait));
        if (first !== undefined && this.#mayClaim(first) && waits.length < claimedMax) waits.push(first);
      }
    }
    return waits.length === 0 ? undefined : this.#claimAll(waits);
  }

  /** Tells the hub. It returns the copies of a wait that has ended meanwhile. */
  async deliver(tx: Tx, { waits, leasedAt }: Claim, leased: readonly LeasedForWait[]): Promise<void> {
    const handed: HandedOver[] = [];
    for (const { place, copies: rows, hasMore, unread } of leased) {
      const request = waits[place - 1];
      if (request === undefined) continue;
      const { sessionId, agentId, token } = request;
      const salt = (await cachedOrCurrentSession(tx, sessionId))?.salt ?? 0;
      const copies = rows.map((row) => toCopy(row, salt, row.attempts + 1));
      const threads = await headersOf(tx, sessionId, copies);
      handed.push({ sessionId, agentId, token, leasedAt, taken: { copies, hasMore, threads, unread } });
    }
    // Not before all are known: if this fails, each of them is still kept and reads.
    for (const wait of handed) this.#waits.forget(wait);
    if (handed.length > 0) this.#options.onHanded(handed);
  }

  #mayClaim({ token, filter }: LeaseRequest): boolean {
    return isUnfiltered(filter) && !this.#reading.has(token);
  }

  #claimAll(waits: readonly LeaseRequest[]): Claim {
    let isOver: (() => void) | undefined;
    const over = new Promise<void>((resolve) => {
      isOver = resolve;
    });
    for (const { token } of waits) this.#claims.set(token, over);
    return {
      waits,
      now: this.#options.clock.now(),
      leasedAt: this.#options.clock.monotonic(),
      end: () => {
        for (const { token } of waits) this.#claims.delete(token);
        isOver?.();
      },
    };
  }
}

/** When the answer of the batch was lost. */
export async function undoClaim(tx: Tx, { waits }: Claim): Promise<void> {
  for (const wait of waits) await undoLostLease(tx, wait);
}

/** The call of `lease_for_waits`, and its parameters. */
export function leaseForWaits(tx: Tx, { waits, now }: Claim): { sql: string; values: SqlValue[] } {
  return {
    sql: `lease_for_waits(hub_ms => ?, leased_ms => ?, sessions => ?, agents => ?, tokens => ?, waking_only => ?,
      limits => ?, manuals => ?, lease_times => ?)`,
    values: [
      tx.usesHubTime ? now : null,
      now,
      textColumn(waits.map(({ sessionId }) => sessionId)),
      textColumn(waits.map(({ agentId }) => agentId)),
      textColumn(waits.map(({ token }) => token)),
      integerColumn(waits.map(({ filter }) => Number(filter.wakingOnly))),
      // For a model one at a time: what fits its answer is only known here.
      integerColumn(waits.map(({ limit, tokensMax }) => (tokensMax === null ? Math.min(limit, copiesMax) : 1))),
      integerColumn(waits.map(({ isManual }) => Number(isManual))),
      bigintColumn(waits.map(({ leaseMs }) => leaseMs)),
    ],
  };
}
