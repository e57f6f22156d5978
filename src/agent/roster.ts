// A cache of registered agents, so that most calls need no store query.
import type { AgentKind } from '../contract/agent.js';
import { HubError, type ErrorCode } from '../contract/errors.js';
import { senderUnknown } from '../message/send/route.js';
import type { NamedCaller } from '../ports/caller.js';
import type { Clock } from '../ports/clock.js';
import type { AgentRecord, Store } from '../ports/store.js';
import type { Wakeup } from '../ports/wakeup.js';
import { requireOwner, type RegisterPlan } from './decide-registration.js';

const refusesWrites: ReadonlySet<ErrorCode> = new Set(['STORE_FULL', 'STORE_FAILED', 'STORE_DAMAGED']);

interface Known {
  kind: AgentKind;
  /** The agent was asked to take its client's name as description. */
  isDescribed: boolean;
}

interface Registered {
  kind: AgentKind;
  /** This request registered it. */
  isNew: boolean;
}

interface RosterPorts {
  store: Pick<Store, 'findAgent' | 'registerAgent' | 'agentKinds'>;
  clock: Clock;
  wakeup: Wakeup;
}

export class Roster {
  readonly #known = new Map<string, Known>();
  readonly #ports: RosterPorts;
  /** How often something was forgotten: what was read before must not be remembered after it. */
  #forgets = 0;

  constructor(ports: RosterPorts) {
    this.#ports = ports;
  }

  remember(sessionId: string, { id, kind }: Pick<AgentRecord, 'id' | 'kind'>): void {
    this.#known.set(keyOf(sessionId, id), { kind, isDescribed: false });
  }

  forget(sessionId: string, id: string): void {
    this.#forgets += 1;
    this.#known.delete(keyOf(sessionId, id));
  }

  /** Without a query: false also for an agent that this hub has not heard of yet. */
  isKnown(sessionId: string, id: string): boolean {
    return this.#known.has(keyOf(sessionId, id));
  }

  /** Asks the store for those that this hub has not heard of yet. */
  async peopleAmong(sessionId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const people = ids.filter((id) => this.#known.get(keyOf(sessionId, id))?.kind === 'human');
    const unknown = ids.filter((id) => !this.isKnown(sessionId, id));
    if (unknown.length === 0) return new Set(people);
    const before = this.#forgets;
    for (const [id, kind] of await this.#ports.store.agentKinds({ sessionId, ids: unknown })) {
      if (before === this.#forgets) this.remember(sessionId, { id, kind });
      if (kind === 'human') people.push(id);
    }
    return new Set(people);
  }

  /** Another hub registered or removed agents of this session. */
  forgetSession(sessionId: string): void {
    this.#forgets += 1;
    for (const key of this.#known.keys()) if (key.startsWith(keyOf(sessionId, ''))) this.#known.delete(key);
  }

  forgetAll(): void {
    this.#forgets += 1;
    this.#known.clear();
  }

  /** An agent id that comes with the connection is registered with its first request. */
  async ensure(
    caller: Pick<NamedCaller, 'sessionId' | 'agentId' | 'owner'>,
    clientTitle?: string,
  ): Promise<Registered> {
    const { sessionId, agentId: id, owner } = caller;
    const known = this.#known.get(keyOf(sessionId, id));
    if (known !== undefined && (known.isDescribed || clientTitle === undefined))
      return { kind: known.kind, isNew: false };
    const plan: RegisterPlan = {
      sessionId,
      id,
      name: null,
      description: clientTitle ?? null,
      capabilities: null,
      owner,
      at: this.#ports.clock.now(),
      onlyIfMissing: true,
    };
    const { agent, isNew } = await this.#ports.store
      .registerAgent(plan)
      .catch((error: unknown) => this.#findInstead(plan, error));
    this.#known.set(keyOf(sessionId, id), { kind: agent.kind, isDescribed: clientTitle !== undefined });
    if (isNew) this.#ports.wakeup.agents(sessionId);
    return { kind: agent.kind, isNew };
  }

  /** While the store refuses writes, an agent that is registered can read. */
  async #findInstead(plan: RegisterPlan, error: unknown): Promise<{ agent: AgentRecord; isNew: boolean }> {
    if (!(error instanceof HubError) || !refusesWrites.has(error.code)) throw error;
    const agent = await this.#ports.store.findAgent(plan);
    if (agent === null) throw error;
    requireOwner(plan, agent);
    return { agent, isNew: false };
  }

  /** An agent id given only as an argument must be registered. */
  async require(sessionId: string, id: string): Promise<Registered> {
    const known = this.#known.get(keyOf(sessionId, id));
    if (known !== undefined) return { kind: known.kind, isNew: false };
    const agent = await this.#ports.store.findAgent({ sessionId, id });
    if (agent === null) throw senderUnknown(id);
    this.remember(sessionId, agent);
    return { kind: agent.kind, isNew: false };
  }
}

function keyOf(sessionId: string, id: string): string {
  return `${sessionId}\n${id}`;
}
