// Who has been seen, and who is waiting right now. Kept in memory and noted in the store now and then.
import type { Presence } from '../contract/agent.js';
import type { Clock } from '../ports/clock.js';
import type { Store } from '../ports/store.js';

const activeMs = 60_000;
export const idleMs = 15 * 60_000;
const noteEveryMs = 10_000;

interface Seen {
  sessionId: string;
  id: string;
  at: number;
  /** The connection that acted last, and the one before it, for the IN_USE warning. */
  origin: string;
  before: { origin: string; at: number } | undefined;
  isNoted: boolean;
}

export class PresenceBook {
  readonly #seen = new Map<string, Seen>();
  readonly #clock: Clock;
  readonly #store: Pick<Store, 'noteSeen'>;
  readonly #waiting: (sessionId: string, agentId: string) => boolean;
  readonly #returned: (sessionId: string) => void;
  #cancelTimer: (() => void) | undefined;

  constructor(ports: {
    clock: Clock;
    store: Pick<Store, 'noteSeen'>;
    isWaiting: (sessionId: string, agentId: string) => boolean;
    /** An agent that was offline is back. */
    returned: (sessionId: string) => void;
  }) {
    this.#returned = ports.returned;
    this.#clock = ports.clock;
    this.#store = ports.store;
    this.#waiting = ports.isWaiting;
  }

  /** Who was seen before this hub started. */
  recall(seen: readonly { sessionId: string; id: string; at: number }[]): void {
    for (const { sessionId, id, at } of seen) {
      this.#seen.set(keyOf(sessionId, id), { sessionId, id, at, origin: '', before: undefined, isNoted: true });
    }
  }

  saw(sessionId: string, id: string, origin: string): void {
    const wasOffline = this.presenceOf(sessionId, id) === 'offline';
    const last = this.#seen.get(keyOf(sessionId, id));
    const before = last === undefined || last.origin === origin ? last?.before : { origin: last.origin, at: last.at };
    this.#seen.set(keyOf(sessionId, id), { sessionId, id, at: this.#clock.now(), origin, before, isNoted: false });
    this.#cancelTimer ??= this.#clock.after(noteEveryMs, () => void this.note());
    if (!wasOffline) return;
    // At once: who was away for long is in `all` again from this call on, not from the next note on.
    this.#store.noteSeen([{ sessionId, id, at: this.#clock.now() }]).catch(() => {});
    this.#returned(sessionId);
  }

  forget(sessionId: string, id: string): void {
    this.#seen.delete(keyOf(sessionId, id));
  }

  /** True when another connection acted as this agent a moment ago. */
  isInUseByAnother(sessionId: string, id: string, origin: string): boolean {
    const seen = this.#seen.get(keyOf(sessionId, id));
    const other = seen?.origin === origin ? seen.before : seen;
    return other !== undefined && other.origin !== '' && this.#clock.now() - other.at < activeMs;
  }

  lastSeenAt(sessionId: string, id: string): number | undefined {
    return this.#seen.get(keyOf(sessionId, id))?.at;
  }

  presenceOf(sessionId: string, id: string, storedLastSeenAt = 0): Presence {
    if (this.#waiting(sessionId, id)) return 'waiting';
    const unseenMs = this.#clock.now() - Math.max(this.lastSeenAt(sessionId, id) ?? 0, storedLastSeenAt);
    if (unseenMs < activeMs) return 'active';
    return unseenMs < idleMs ? 'idle' : 'offline';
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
