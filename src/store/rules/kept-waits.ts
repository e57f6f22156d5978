// The requests of waits that found nothing: what is stored for them later is leased in the transaction that stores it.
import { waitTakes } from '../../message/wait/decide-match.js';
import type { LeaseRequest, WaitReference } from '../../ports/store.js';
import type { CopyHint } from '../../ports/wakeup.js';

/** A copy that was stored in this transaction. */
export type StoredCopy = CopyHint & { seq: number };

export class KeptWaits {
  /** By reader, then by token, first come, first served. */
  readonly #byReader = new Map<string, Map<string, LeaseRequest>>();

  isKept({ token, ...reader }: WaitReference): boolean {
    return this.#byReader.get(keyOf(reader))?.has(token) ?? false;
  }

  hasWaitOf(sessionId: string, agentId: string): boolean {
    return this.#byReader.size > 0 && this.#byReader.has(keyOf({ sessionId, agentId }));
  }

  /** A wait that is kept already keeps its place. Returns what undoes it. */
  keep(request: LeaseRequest): () => void {
    const key = keyOf(request);
    const waits = this.#byReader.get(key);
    if (waits?.has(request.token) === true) return () => {};
    if (waits === undefined) this.#byReader.set(key, new Map([[request.token, request]]));
    else waits.set(request.token, request);
    return () => this.forget(request);
  }

  /** Returns what undoes it; the wait is then the last in its order. */
  forget({ token, ...reader }: WaitReference): () => void {
    const key = keyOf(reader);
    const waits = this.#byReader.get(key);
    const request = waits?.get(token);
    if (waits === undefined || request === undefined) return () => {};
    waits.delete(token);
    if (waits.size === 0) this.#byReader.delete(key);
    return () => this.keep(request);
  }

  /** The waits of the copy's reader that take it, the first to come first. */
  takersOf(copy: StoredCopy): LeaseRequest[] {
    const waits = this.#byReader.get(keyOf(copy));
    return waits === undefined ? [] : [...waits.values()].filter(({ filter }) => waitTakes(filter, copy));
  }
}

function keyOf({ sessionId, agentId }: Omit<WaitReference, 'token'>): string {
  return `${sessionId}\n${agentId}`;
}
