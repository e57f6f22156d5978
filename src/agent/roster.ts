// A cache of registered agents, so that most calls need no store query.
import { senderUnknown } from '../message/send/route.js';
import type { Clock } from '../ports/clock.js';
import type { Store } from '../ports/store.js';
import type { Wakeup } from '../ports/wakeup.js';

export class Roster {
  readonly #known = new Set<string>();
  readonly #ports: { store: Pick<Store, 'findAgent' | 'registerAgent'>; clock: Clock; wakeup: Wakeup };

  constructor(ports: { store: Pick<Store, 'findAgent' | 'registerAgent'>; clock: Clock; wakeup: Wakeup }) {
    this.#ports = ports;
  }

  remember(sessionId: string, id: string): void {
    this.#known.add(keyOf(sessionId, id));
  }

  forget(sessionId: string, id: string): void {
    this.#known.delete(keyOf(sessionId, id));
  }

  /** Another hub registered or removed agents of this session. */
  forgetSession(sessionId: string): void {
    for (const key of this.#known) if (key.startsWith(keyOf(sessionId, ''))) this.#known.delete(key);
  }

  forgetAll(): void {
    this.#known.clear();
  }

  /** An agent id that comes with the connection is registered on its first call. */
  async ensure(sessionId: string, id: string, owner: string): Promise<void> {
    if (this.#known.has(keyOf(sessionId, id))) return;
    const at = this.#ports.clock.now();
    const entry = { sessionId, id, name: null, description: null, capabilities: null, owner, at, onlyIfMissing: true };
    const { isNew } = await this.#ports.store.registerAgent(entry);
    this.remember(sessionId, id);
    if (isNew) this.#ports.wakeup.agents(sessionId);
  }

  /** An agent id given only as an argument must be registered. */
  async require(sessionId: string, id: string): Promise<void> {
    if (this.#known.has(keyOf(sessionId, id))) return;
    const agent = await this.#ports.store.findAgent({ sessionId, id });
    if (agent === null) throw senderUnknown(id);
    this.remember(sessionId, id);
  }
}

function keyOf(sessionId: string, id: string): string {
  return `${sessionId}\n${id}`;
}
