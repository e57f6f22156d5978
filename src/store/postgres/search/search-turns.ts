// Searches take turns, two at a time: each reads megabytes of text, which arrive and are decoded in the main thread. Many at
// once would hold up everyone, and take all connections.
import { HubError } from '../../../contract/errors.js';
import { limits } from '../../../contract/limits.js';
import { callerOf, FairQueue } from '../../fair-queue.js';

const atOnceMax = 2;

export class SearchTurns {
  #running = 0;
  readonly #waiting = new FairQueue<() => void>();
  /** Called and not answered, in all and by caller. */
  #queued = 0;
  readonly #ofCaller = new Map<string, number>();

  async run<Result>(query: unknown, search: () => Promise<Result>): Promise<Result> {
    const caller = callerOf(query);
    this.#requireRoom(caller);
    this.#count(caller, 1);
    try {
      if (this.#running >= atOnceMax) await new Promise<void>((enter) => this.#waiting.push(caller, enter));
      else this.#running += 1;
      return await search();
    } finally {
      this.#count(caller, -1);
      // The place goes to the next in turn.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #requireRoom(caller: string): void {
    const { searchesQueued, searchesPerCaller } = limits;
    const isOwn = (this.#ofCaller.get(caller) ?? 0) >= searchesPerCaller;
    if (!isOwn && this.#queued < searchesQueued) return;
    const limit = isOwn ? searchesPerCaller : searchesQueued;
    throw new HubError('BUSY', `${limit} reads are waiting for their turn already.`, {
      hint: 'Call again in a second.',
      details: { limit, retryAfterMs: 1_000 },
    });
  }

  #count(caller: string, change: 1 | -1): void {
    this.#queued += change;
    const left = (this.#ofCaller.get(caller) ?? 0) + change;
    if (left > 0) this.#ofCaller.set(caller, left);
    else this.#ofCaller.delete(caller);
  }
}
