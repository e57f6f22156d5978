// How many of a hub's connections wait for one session's order at a time. They pass one after the other in any case, and
// a session that someone holds up must not take all connections from the others.

interface Session {
  running: number;
  waiting: (() => void)[];
}

/** One works, the next stand ready. */
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

  /** Whoever waits takes the place over. */
  #leave(sessionId: string, session: Session): void {
    const next = session.waiting.shift();
    if (next !== undefined) return next();
    session.running -= 1;
    if (session.running === 0) this.#sessions.delete(sessionId);
  }
}
