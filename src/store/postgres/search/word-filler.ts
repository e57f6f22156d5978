// Fills the word index after the sends, for the sessions that this hub noteSend to and periodically for all: another hub may
// have died before it filled its own.
import { HubError } from '../../../contract/errors.js';
import type { Database } from '../connection/database.js';
import { fillSearchIndex } from './search-index.js';

/** Delay after the last send of a burst: indexing costs more than sending; meanwhile searches scan the tail. */
const afterMs = 500;
/** Fills earlier when the tail grows too long. */
const lagMax = 100_000;
const allEveryMs = 60_000;

export class WordFiller {
  readonly #database: Database;
  readonly #onBug: (command: string, stack: string) => void;
  readonly #sessions = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #allAt = 0;
  #lastAt = 0;
  /** Sends since the last fill. */
  #lag = 0;
  #isStopped = false;

  constructor(database: Database, onBug: (command: string, stack: string) => void) {
    this.#database = database;
    this.#onBug = onBug;
  }

  noteSend(sessionId: string): void {
    this.#sessions.add(sessionId);
    this.#lag += 1;
    this.#lastAt = performance.now();
    this.#timer ??= this.#checkAfter(afterMs);
  }

  /** At the start of a hub: a migration or a hub that died may have left messages without words.  */
  start(): void {
    this.#timer ??= this.#checkAfter(afterMs);
  }

  #checkAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      const quietMs = performance.now() - this.#lastAt;
      const isDue = quietMs >= afterMs || this.#lag >= lagMax;
      this.#timer = isDue ? undefined : this.#checkAfter(Math.max(50, afterMs - quietMs));
      if (isDue) this.#startFilling();
    }, ms).unref();
  }

  #startFilling(): void {
    this.#lag = 0;
    this.#running ??= this.#fill().finally(() => {
      this.#running = undefined;
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #fill(): Promise<void> {
    try {
      if (performance.now() > this.#allAt) {
        this.#allAt = performance.now() + allEveryMs;
        for (const id of await this.#laggingSessions()) this.#sessions.add(id);
      }
      for (const sessionId of Array.from(this.#sessions)) {
        this.#sessions.delete(sessionId);
        while (!this.#isStopped && (await this.#step(sessionId)));
      }
    } catch (error) {
      // Retried after the next send; meanwhile searches scan the tail.
      if (!(error instanceof HubError)) this.#onBug('fill words', String(error));
    }
  }

  #step(sessionId: string): Promise<boolean> {
    return this.#database.write({ commit: 'relaxed', ordered: [] }, (tx) => fillSearchIndex(tx, sessionId));
  }

  /** Sessions whose newest message is not indexed yet. */
  async #laggingSessions(): Promise<string[]> {
    const rows = await this.#database.look((tx) =>
      // uses message's key, once per session
      tx.all<{ id: string }>(
        `/* all sessions: sessions whose words are missing */ select s.id from session s left join word_mark w on w.session_id = s.id
         where coalesce((select m.seq from message m where m.session_id = s.id order by m.seq desc limit 1), 0)
           > coalesce(w.seq, 0)
         order by s.id limit 10000`,
      ),
    );
    return rows.map(({ id }) => id);
  }
}
