// Why nobody should wait in a session: nothing can come any more.
import type { HubError } from '../contract/errors.js';
import type { Clock } from '../ports/clock.js';
import type { Store } from '../ports/store.js';
import { sessionClosed } from './decide-closing.js';

/** How long a session is remembered as open: many waits that park at once ask the store once. */
const openMs = 1_000;
const rememberedMax = 10_000;

export class WaitRefusals {
  readonly #ports: { store: Pick<Store, 'sessionClosure'>; clock: Pick<Clock, 'monotonic'> };
  readonly #openUntil = new Map<string, number>();
  /** Rises when sessions may have been closed: what was read before is not remembered. */
  #closings = 0;

  constructor(ports: { store: Pick<Store, 'sessionClosure'>; clock: Pick<Clock, 'monotonic'> }) {
    this.#ports = ports;
  }

  /** Undefined while the session is open. */
  async refusalIn(sessionId: string): Promise<HubError | undefined> {
    const { store, clock } = this.#ports;
    if ((this.#openUntil.get(sessionId) ?? 0) > clock.monotonic()) return undefined;
    const closings = this.#closings;
    const closure = await store.sessionClosure({ sessionId });
    if (closure !== null) return sessionClosed(sessionId, closure);
    if (closings !== this.#closings) return undefined;
    if (this.#openUntil.size >= rememberedMax) this.#openUntil.clear();
    this.#openUntil.set(sessionId, clock.monotonic() + openMs);
    return undefined;
  }

  /** Called before the waits are woken by it. */
  mayHaveClosed(): void {
    this.#closings += 1;
    this.#openUntil.clear();
  }
}
