// Limits how many of a hub's connections wait for the order lock of one session. The lock admits one at a time anyway, and a
// blocked session must not take all connections from the others.

interface Session {
  running: number;
  waiting: (() => void)[];
}

/** One runs, the others wait at the server for the lock. */
const atOnceMax = 3;

export class OrderQueue {
  readonly #sessions = new Map<string, Session>();

  /** First come, first served. */
  async take<Result>(sessionId: string, use: () => Promise<Result>): Promise<Result> {
    const session = this.#sessions.get(sessionId) ?? { running: 0, waiting: [] };
    this.#sessions.set(sessionId, session);
    if (session.running < atOnceMax) session.running += 1;
    else await new Promise<void>((resolve) => session.waiting.push(resolve));
    try {
      return await use();
    } finally {
      this.#leave(sessionId, session);
    }
  }

  /** The next in the queue takes the slot over. */
  #leave(sessionId: string, session: Session): void {
    const next = session.waiting.shift();
    if (next !== undefined) return next();
    session.running -= 1;
    if (session.running === 0) this.#sessions.delete(sessionId);
  }
}
