// What an inbox is about to get back: copies of calls whose client has gone. The reader's next call waits for them, so that
// it is handed them in their place and not later copies first.

export interface InboxName {
  sessionId: string;
  agentId: string;
}

interface Return {
  /** False: the client is still there, so nothing comes back as far as is known. */
  isDue: () => boolean;
  settled: Promise<unknown>;
}

export class ReturningCopies {
  readonly #byInbox = new Map<string, Set<Return>>();

  /** Notes a store call until it has settled: a release, or a take that is returned if its client goes meanwhile. */
  async follow<Result>(inbox: InboxName, work: Promise<Result>, isDue: () => boolean): Promise<Result> {
    const key = keyOf(inbox);
    const returns = this.#byInbox.get(key) ?? new Set();
    this.#byInbox.set(key, returns);
    const entry: Return = { isDue, settled: work };
    returns.add(entry);
    try {
      return await work;
    } finally {
      returns.delete(entry);
      if (returns.size === 0) this.#byInbox.delete(key);
    }
  }

  /** Undefined when there is nothing to wait for. */
  whenBack(inbox: InboxName): Promise<void> | undefined {
    return this.#due(inbox).length === 0 ? undefined : this.#allBack(inbox);
  }

  #due(inbox: InboxName): Promise<unknown>[] {
    const returns = this.#byInbox.get(keyOf(inbox));
    return returns === undefined ? [] : [...returns].flatMap(({ isDue, settled }) => (isDue() ? [settled] : []));
  }

  /** In a loop: a take whose client has gone is followed by its release. */
  async #allBack(inbox: InboxName): Promise<void> {
    for (let due = this.#due(inbox); due.length > 0; due = this.#due(inbox)) await Promise.allSettled(due);
  }
}

function keyOf({ sessionId, agentId }: InboxName): string {
  return `${sessionId}\n${agentId}`;
}
