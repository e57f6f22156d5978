// Who has been seen, and who is waiting right now. Kept in memory and noted in the store now and then.
import type { Presence } from '../contract/agent.js';
import type { Clock } from '../ports/clock.js';
import type { Store } from '../ports/store.js';

const activeMs = 60_000;
export const idleMs = 15 * 60_000;
const noteEveryMs = 10_000;
/** Other hubs hear of an agent that goes on working here this often. */
const tellEveryMs = 20_000;
/** A hub that says an agent waits there says so again well before this. */
const heardMs = 25_000;
const entriesMax = 100_000;

interface Seen {
  sessionId: string;
  id: string;
  at: number;
  /** The connection that acted last, and the one before it, for the IN_USE warning. */
  origin: string;
  before: { origin: string; at: number } | undefined;
  isNoted: boolean;
  toldAt: number;
}

/** What other hubs said of an agent. */
interface Elsewhere {
  at: number;
  waitingUntil: number;
}

type Tell = (sessionId: string, id: string, presence: { at: number; isWaiting: boolean }) => void;

export class PresenceBook {
  readonly #seen = new Map<string, Seen>();
  readonly #elsewhere = new Map<string, Elsewhere>();
  readonly #clock: Clock;
  readonly #store: Pick<Store, 'noteSeen'>;
  readonly #waiting: (sessionId: string, agentId: string) => boolean;
  readonly #returned: (sessionId: string) => void;
  readonly #tell: Tell;
  #cancelTimer: (() => void) | undefined;

  constructor(ports: {
    clock: Clock;
    store: Pick<Store, 'noteSeen'>;
    isWaiting: (sessionId: string, agentId: string) => boolean;
    /** An agent that was offline is back. */
    returned: (sessionId: string) => void;
    /** Other hubs want to know. */
    tell?: Tell;
  }) {
    this.#tell = ports.tell ?? (() => {});
    this.#returned = ports.returned;
    this.#clock = ports.clock;
    this.#store = ports.store;
    this.#waiting = ports.isWaiting;
  }

  /** Who was seen before this hub started. */
  recall(seen: readonly { sessionId: string; id: string; at: number }[]): void {
    for (const { sessionId, id, at } of seen) {
      const entry = { sessionId, id, at, origin: '', before: undefined, isNoted: true, toldAt: 0 };
      this.#seen.set(keyOf(sessionId, id), entry);
    }
  }

  saw(sessionId: string, id: string, origin: string): void {
    const wasOffline = this.presenceOf(sessionId, id) === 'offline';
    const last = this.#seen.get(keyOf(sessionId, id));
    const before = last === undefined || last.origin === origin ? last?.before : { origin: last.origin, at: last.at };
    const at = this.#clock.now();
    const isToldNow = wasOffline || at - (last?.toldAt ?? 0) > tellEveryMs;
    const toldAt = isToldNow ? at : (last?.toldAt ?? 0);
    this.#seen.set(keyOf(sessionId, id), { sessionId, id, at, origin, before, isNoted: false, toldAt });
    if (isToldNow) this.#tell(sessionId, id, { at, isWaiting: this.#waiting(sessionId, id) });
    this.#cancelTimer ??= this.#clock.after(noteEveryMs, () => void this.note());
    if (!wasOffline) return;
    // At once: who was away for long is in `all` again from this call on, not from the next note on.
    this.#store.noteSeen([{ sessionId, id, at: this.#clock.now() }]).catch(() => {});
    this.#returned(sessionId);
  }

  /** The agent's first wait was parked here, or its last one ended. */
  waits(sessionId: string, id: string, isWaiting: boolean): void {
    this.#tell(sessionId, id, { at: this.#clock.now(), isWaiting });
  }

  /** What another hub said. */
  heard(sessionId: string, id: string, { at, isWaiting }: { at: number; isWaiting: boolean }): void {
    if (this.#elsewhere.size >= entriesMax) this.#elsewhere.clear();
    const waitingUntil = isWaiting ? this.#clock.now() + heardMs : 0;
    this.#elsewhere.set(keyOf(sessionId, id), { at, waitingUntil });
  }

  forget(sessionId: string, id: string): void {
    this.#seen.delete(keyOf(sessionId, id));
    this.#elsewhere.delete(keyOf(sessionId, id));
  }

  /** True when another connection acted as this agent a moment ago. */
  isInUseByAnother(sessionId: string, id: string, origin: string): boolean {
    const seen = this.#seen.get(keyOf(sessionId, id));
    const other = seen?.origin === origin ? seen.before : seen;
    if (other !== undefined && other.origin !== '' && this.#clock.now() - other.at < activeMs) return true;
    const elsewhere = this.#elsewhere.get(keyOf(sessionId, id));
    return elsewhere !== undefined && this.#clock.now() - elsewhere.at < activeMs;
  }

  lastSeenAt(sessionId: string, id: string): number | undefined {
    const key = keyOf(sessionId, id);
    const here = this.#seen.get(key)?.at;
    const elsewhere = this.#elsewhere.get(key)?.at;
    return here === undefined || elsewhere === undefined ? (here ?? elsewhere) : Math.max(here, elsewhere);
  }

  presenceOf(sessionId: string, id: string, storedLastSeenAt = 0): Presence {
    if (this.#waiting(sessionId, id) || this.#waitsElsewhere(sessionId, id)) return 'waiting';
    const unseenMs = this.#clock.now() - Math.max(this.lastSeenAt(sessionId, id) ?? 0, storedLastSeenAt);
    if (unseenMs < activeMs) return 'active';
    return unseenMs < idleMs ? 'idle' : 'offline';
  }

  #waitsElsewhere(sessionId: string, id: string): boolean {
    return (this.#elsewhere.get(keyOf(sessionId, id))?.waitingUntil ?? 0) > this.#clock.now();
  }

  /** Writes down who was seen since the last time. */
  async note(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const fresh = [...this.#seen.values()].filter((seen) => !seen.isNoted);
    if (fresh.length === 0) return;
    try {
      await this.#store.noteSeen(fresh.map(({ sessionId, id, at }) => ({ sessionId, id, at })));
      for (const seen of fresh) seen.isNoted = true;
    } catch {
      // Noted with the next ones: a lost time costs only a presence after a restart.
    }
  }
}

function keyOf(sessionId: string, id: string): string {
  return `${sessionId}\n${id}`;
}
