// A `ttl` counts elapsed time. Its end is stored as a time of the wall clock, which goes on while no hub runs. When the wall
// clock jumps while a hub runs, the stored ends jump with it. See docs/decisions/0027-ttl-and-clock-jumps.md.
import type { SendPlan } from '../../../ports/store.js';
import type { Tx } from '../writer/transaction.js';

/** A smaller difference between the clocks is left until it has added up. */
const jumpMsMin = 1_000;
/** Moved in one transaction, and those that end in the same millisecond. */
const copiesPerStep = 500;
/** How long steps hold up a batch: far below the 50 ms that anything may hold the writer. */
const turnMs = 15;

/** A jump whose ends are being moved, in steps. */
export interface Move {
  readonly jump: number;
  /** The last message from before the move; later ones are stored with their new end. */
  readonly upTo: number;
  /** What is beyond this end is moved. Null: nothing yet. */
  readonly reached: number | null;
}

type Write = (change: (tx: Tx) => unknown) => boolean;

export class ClockJumps {
  /** Wall clock less monotonic clock, as the stored ends go by it. */
  #offset: number | undefined;
  /** Undefined if all ends go by the same offset. */
  #move: Move | undefined;
  #now: number | undefined;
  #storedNow: number | undefined;
  readonly #moveSome: typeof moveSomeEnds;

  constructor(moveSome = moveSomeEnds) {
    this.#moveSome = moveSome;
  }

  /** Some ends do not go by the new time yet. */
  get isMoving(): boolean {
    return this.#move !== undefined;
  }

  /** Before each batch, with the hub's clocks. `write` runs a change in a transaction of its own; false if it could not. */
  follow({ now, monotonicNow }: Tx['time'], write: Write): void {
    this.#offset ??= now - monotonicNow;
    const jump = Math.round(now - monotonicNow - this.#offset);
    if (this.#move !== undefined || Math.abs(jump) >= jumpMsMin) this.#moveFor(turnMs, { jump, write });
    const before = monotonicNow + this.#offset;
    // Also when the clock was corrected meanwhile: the move under way goes on, and is then moved back.
    const isBehind = this.#move !== undefined || Math.abs(now - before) >= jumpMsMin;
    const after = this.#move === undefined ? before : before + this.#move.jump;
    // While some ends are moved and others are not, the earlier time counts: a copy may end late, by a moment, never early.
    this.#now = isBehind ? Math.min(before, after) : now;
    this.#storedNow = isBehind ? after : now;
  }

  /** Between batches, while nobody calls: a step. False if there is none to make now. */
  moveMore(write: Write): boolean {
    return this.#move !== undefined && this.#moveFor(0, { jump: this.#move.jump, write });
  }

  /** What the ends of copies are compared with. The time of a call may be from before a jump; it counts where there is no other. */
  now(ofCall: number): number {
    return this.#now ?? ofCall;
  }

  /** What ends are compared with now; undefined if each call gives its own. */
  get time(): number | undefined {
    return this.#now;
  }

  /** Runs what was run at `time` before, so that the same copies have ended. */
  runAt(time: number | undefined, run: () => void): void {
    const now = this.#now;
    this.#now = time;
    try {
      run();
    } finally {
      this.#now = now;
    }
  }

  /** When the copies of a message end that is stored now. */
  endOf({ at, expiresAt }: Pick<SendPlan, 'at' | 'expiresAt'>): number | null {
    if (expiresAt === null) return null;
    const late = (this.#storedNow ?? at) - at;
    return Math.abs(late) < jumpMsMin ? expiresAt : expiresAt + late;
  }

  /** At least one step. False if it could not be written: the next batch tries again. */
  #moveFor(ms: number, { jump, write }: { jump: number; write: Write }): boolean {
    const started = performance.now();
    do {
      const step: { moved?: Move | 'all' } = {};
      const isWritten = write((tx) => (step.moved = this.#moveSome(tx, this.#move ?? jump)));
      if (!isWritten || step.moved === undefined) return false;
      if (step.moved === 'all') {
        this.#offset = (this.#offset ?? 0) + (this.#move?.jump ?? jump);
        this.#move = undefined;
        return true;
      }
      this.#move = step.moved;
    } while (performance.now() - started < ms);
    return true;
  }
}

/**
 * The next step of a move, or the first for a jump. It begins with the end that moves furthest away from the others, so that a
 * copy that was moved is not met again. The ends of messages move too: a copy that is opened again gets its end from there.
 */
function moveSomeEnds(tx: Tx, given: Move | number): Move | 'all' {
  const move = typeof given === 'number' ? beginMove(tx, given) : given;
  const { jump, upTo, reached } = move;
  const isAhead = jump > 0;
  const start = reached ?? (isAhead ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER);
  const [beyond, order] = isAhead ? (['<', 'desc'] as const) : (['>', 'asc'] as const);
  // uses pending_by_expiry
  const last = tx.get<{ expires_at: number }>(
    `select expires_at from pending indexed by pending_by_expiry where expires_at is not null and expires_at ${beyond} ?
     order by expires_at ${order} limit 1 offset ?`,
    [start, copiesPerStep - 1],
  )?.expires_at;
  const end = last ?? (isAhead ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER);
  const range = isAhead ? 'expires_at < ? and expires_at >= ?' : 'expires_at > ? and expires_at <= ?';
  // uses pending_by_expiry, then message by its row number
  tx.run(
    `update message set expires_at = expires_at + ?
     where n in (select n from pending indexed by pending_by_expiry where expires_at is not null and ${range} and n <= ?)`,
    [jump, start, end, upTo],
  );
  tx.run(
    `update pending indexed by pending_by_expiry set expires_at = expires_at + ?
     where expires_at is not null and ${range} and n <= ?`,
    [jump, start, end, upTo],
  );
  return last === undefined ? 'all' : { ...move, reached: last };
}

function beginMove(tx: Tx, jump: number): Move {
  // uses message's row numbers
  const last = tx.get<{ n: number | null }>('select max(n) as n from message', []);
  return { jump, upTo: last?.n ?? 0, reached: null };
}
