// A cache of registered agents, so that most calls need no store query.
import type { AgentKind } from '../contract/agent.js';
import { senderUnknown } from '../message/send/route.js';
import type { NamedCaller } from '../ports/caller.js';
import type { Clock } from '../ports/clock.js';
import type { AgentRecord, Store } from '../ports/store.js';
import type { Wakeup } from '../ports/wakeup.js';

interface Known {
  kind: AgentKind;
  /** The agent was asked to take its client's name as description. */
  isDescribed: boolean;
}

export class Roster {
  readonly #known = new Map<string, Known>();
  readonly #ports: { store: Pick<Store, 'findAgent' | 'registerAgent'>; clock: Clock; wakeup: Wakeup };

  constructor(ports: { store: Pick<Store, 'findAgent' | 'registerAgent'>; clock: Clock; wakeup: Wakeup }) {
    this.#ports = ports;
  }

  remember(sessionId: string, { id, kind }: Pick<AgentRecord, 'id' | 'kind'>): void {
    this.#known.set(keyOf(sessionId, id), { kind, isDescribed: false });
  }

  forget(sessionId: string, id: string): void {
    this.#known.delete(keyOf(sessionId, id));
  }

  /** Without a query: false also for an agent that this hub has not heard of yet. */
  isKnown(sessionId: string, id: string): boolean {
    return this.#known.has(keyOf(sessionId, id));
  }

  /** Another hub registered or removed agents of this session. */
  forgetSession(sessionId: string): void {
    for (const key of this.#known.keys()) if (key.startsWith(keyOf(sessionId, ''))) this.#known.delete(key);
  }

  forgetAll(): void {
    this.#known.clear();
  }

  /** An agent id that comes with the connection is registered with its first request. */
  async ensure(caller: Pick<NamedCaller, 'sessionId' | 'agentId' | 'owner'>, clientTitle?: string): Promise<AgentKind> {
    const { sessionId, agentId: id, owner } = caller;
    const known = this.#known.get(keyOf(sessionId, id));
    if (known !== undefined && (known.isDescribed || clientTitle === undefined)) return known.kind;
    const { agent, isNew } = await this.#ports.store.registerAgent({
      sessionId,
      id,
      name: null,
      description: clientTitle ?? null,
      capabilities: null,
      owner,
      at: this.#ports.clock.now(),
      onlyIfMissing: true,
    });
    this.#known.set(keyOf(sessionId, id), { kind: agent.kind, isDescribed: clientTitle !== undefined });
    if (isNew) this.#ports.wakeup.agents(sessionId);
    return agent.kind;
  }

  /** An agent id given only as an argument must be registered. */
  async require(sessionId: string, id: string): Promise<AgentKind> {
    const known = this.#known.get(keyOf(sessionId, id));
    if (known !== undefined) return known.kind;
    const agent = await this.#ports.store.findAgent({ sessionId, id });
    if (agent === null) throw senderUnknown(id);
    this.remember(sessionId, agent);
    return agent.kind;
  }
}

function keyOf(sessionId: string, id: string): string {
  return `${sessionId}\n${id}`;
}
