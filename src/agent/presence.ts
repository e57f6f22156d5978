// Which agents were seen when, and which are waiting right now. Kept in memory, saved to the store periodically.
import type { Presence } from '../contract/agent.js';
import type { Clock } from '../ports/clock.js';
import type { Store } from '../ports/store.js';

export const activeMs = 60_000;
export const idleMs = 15 * 60_000;
const saveEveryMs = 10_000;
/** How often the presence of an agent that keeps working here is published to other hubs. */
const publishEveryMs = 20_000;
/** A hub publishes that an agent waits there again well before this has passed. */
const remoteWaitMs = 25_000;
const entriesMax = 100_000;

interface Seen {
  sessionId: string;
  id: string;
  at: number;
  isSaved: boolean;
  publishedAt: number;
  /** When the agent's own program last called an operation here; 0: never. */
  calledAt: number;
}

/** An agent's presence as published by other hubs. */
interface RemotePresence {
  at: number;
  waitingUntil: number;
}

type PublishPresence = (sessionId: string, id: string, presence: { at: number; isWaiting: boolean }) => void;

export class PresenceTracker {
  readonly #seen = new Map<string, Seen>();
  readonly #remote = new Map<string, RemotePresence>();
  readonly #clock: Clock;
  readonly #store: Pick<Store, 'noteSeen'>;
  readonly #waiting: (sessionId: string, agentId: string) => boolean;
  readonly #returned: (sessionId: string) => void;
  readonly #publish: PublishPresence;
  #cancelTimer: (() => void) | undefined;

  constructor(ports: {
    clock: Clock;
    store: Pick<Store, 'noteSeen'>;
    isWaiting: (sessionId: string, agentId: string) => boolean;
    /** An agent that was offline is back. */
    returned: (sessionId: string) => void;
    /** Publishes to other hubs, where there are some. */
    publish?: PublishPresence;
  }) {
    this.#publish = ports.publish ?? (() => {});
    this.#returned = ports.returned;
    this.#clock = ports.clock;
    this.#store = ports.store;
    this.#waiting = ports.isWaiting;
  }

  /** Restores what was saved before this hub started. */
  restore(seen: readonly { sessionId: string; id: string; at: number }[]): void {
    for (const { sessionId, id, at } of seen) {
      this.#seen.set(keyOf(sessionId, id), { sessionId, id, at, isSaved: true, publishedAt: 0, calledAt: 0 });
    }
  }

  /** `isCall`: by a call of its own program, and not by a connection alone. */
  recordSeen(sessionId: string, id: string, isCall = false): void {
    const wasOffline = this.presenceOf(sessionId, id) === 'offline';
    const last = this.#seen.get(keyOf(sessionId, id));
    const at = this.#clock.now();
    const isPublishedNow = wasOffline || at - (last?.publishedAt ?? 0) > publishEveryMs;
    const publishedAt = isPublishedNow ? at : (last?.publishedAt ?? 0);
    const calledAt = isCall ? at : (last?.calledAt ?? 0);
    this.#seen.set(keyOf(sessionId, id), { sessionId, id, at, isSaved: false, publishedAt, calledAt });
    if (isPublishedNow) this.#publish(sessionId, id, { at, isWaiting: this.#waiting(sessionId, id) });
    this.#cancelTimer ??= this.#clock.after(saveEveryMs, () => void this.save());
    if (!wasOffline) return;
    // At once: an agent that was offline is in `all` again from this call on, not from the next save on.
    this.#store.noteSeen([{ sessionId, id, at: this.#clock.now() }]).catch(() => {});
    this.#returned(sessionId);
  }

  /** The agent's first wait was parked here, or its last one ended. */
  setWaiting(sessionId: string, id: string, isWaiting: boolean): void {
    this.#publish(sessionId, id, { at: this.#clock.now(), isWaiting });
  }

  /** Another hub published this. */
  applyRemote(sessionId: string, id: string, { at, isWaiting }: { at: number; isWaiting: boolean }): void {
    if (this.#remote.size >= entriesMax) this.#remote.clear();
    const waitingUntil = isWaiting ? this.#clock.now() + remoteWaitMs : 0;
    this.#remote.set(keyOf(sessionId, id), { at, waitingUntil });
  }

  forget(sessionId: string, id: string): void {
    this.#seen.delete(keyOf(sessionId, id));
    this.#remote.delete(keyOf(sessionId, id));
  }

  /** At this hub. */
  calledAt(sessionId: string, id: string): number | undefined {
    return this.#seen.get(keyOf(sessionId, id))?.calledAt;
  }

  lastSeenAt(sessionId: string, id: string): number | undefined {
    const key = keyOf(sessionId, id);
    const here = this.#seen.get(key)?.at;
    const remote = this.#remote.get(key)?.at;
    return here === undefined || remote === undefined ? (here ?? remote) : Math.max(here, remote);
  }

  presenceOf(sessionId: string, id: string, storedLastSeenAt = 0): Presence {
    if (this.#waiting(sessionId, id) || this.#waitsAtOtherHub(sessionId, id)) return 'waiting';
    const unseenMs = this.#clock.now() - Math.max(this.lastSeenAt(sessionId, id) ?? 0, storedLastSeenAt);
    if (unseenMs < activeMs) return 'active';
    return unseenMs < idleMs ? 'idle' : 'offline';
  }

  #waitsAtOtherHub(sessionId: string, id: string): boolean {
    return (this.#remote.get(keyOf(sessionId, id))?.waitingUntil ?? 0) > this.#clock.now();
  }

  /** Saves the agents seen since the last save. */
  async save(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const fresh = [...this.#seen.values()].filter((seen) => !seen.isSaved);
    if (fresh.length === 0) return;
    try {
      await this.#store.noteSeen(fresh.map(({ sessionId, id, at }) => ({ sessionId, id, at })));
      for (const seen of fresh) seen.isSaved = true;
    } catch {
      // Saved with the next ones: a lost time only affects the presence shown after a restart.
    }
  }
}

function keyOf(sessionId: string, id: string): string {
  return `${sessionId}\n${id}`;
}
