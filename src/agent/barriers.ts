// The barriers parked at this hub. A change of a session's agents costs one read for all of them, and wakes only those that are
// met: thousands that wait would else each read the list with every registration.

export interface BarrierFacts {
  onAgents: (sessionId: string, callback: () => void) => () => void;
  /** The ids of the agents that are there; null when waits in the session are refused. */
  readHere: (sessionId: string) => Promise<ReadonlySet<string> | null>;
}

interface Watch {
  isMet: (here: ReadonlySet<string>) => boolean;
  wake: () => void;
}

interface Watched {
  watches: Set<Watch>;
  stop: () => void;
  isReading: boolean;
  isHinted: boolean;
}

export class AgentBarriers {
  readonly #facts: BarrierFacts;
  readonly #sessions = new Map<string, Watched>();

  constructor(facts: BarrierFacts) {
    this.#facts = facts;
  }

  /** Calls back when a change after this call may have met the barrier; the returned function ends it. */
  onMet(sessionId: string, isMet: Watch['isMet'], wake: () => void): () => void {
    const watched = this.#sessions.get(sessionId) ?? this.#watch(sessionId);
    const watch = { isMet, wake };
    watched.watches.add(watch);
    return () => {
      watched.watches.delete(watch);
      if (watched.watches.size > 0 || this.#sessions.get(sessionId) !== watched) return;
      watched.stop();
      this.#sessions.delete(sessionId);
    };
  }

  #watch(sessionId: string): Watched {
    const watched: Watched = { watches: new Set(), stop: () => {}, isReading: false, isHinted: false };
    watched.stop = this.#facts.onAgents(sessionId, () => void this.#read(sessionId, watched));
    this.#sessions.set(sessionId, watched);
    return watched;
  }

  async #read(sessionId: string, watched: Watched): Promise<void> {
    watched.isHinted = true;
    if (watched.isReading) return;
    watched.isReading = true;
    while (watched.isHinted && watched.watches.size > 0) {
      watched.isHinted = false;
      // If it cannot be read, every barrier reads for itself and reports the error.
      const here = await this.#facts.readHere(sessionId).catch(() => null);
      for (const watch of Array.from(watched.watches)) if (here === null || watch.isMet(here)) watch.wake();
    }
    watched.isReading = false;
  }
}
