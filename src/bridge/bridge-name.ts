// The agent that a bridge speaks for: given at its start, that of its key, or chosen when the client has said who it is.
import { HubClient } from '../client/hub-client.js';
import { HubError, type ErrorCode } from '../contract/errors.js';
import { chooseName, type NamePorts } from './auto-name.js';
import type { HubConnection } from './hub-connection.js';

/** How `--agent auto` finds its name. */
export type AutoNaming = Omit<NamePorts, 'registered'>;

export interface NamingPorts {
  /** Undefined if the bridge has none. */
  agent: string | undefined;
  auto: AutoNaming | undefined;
  hasKey: boolean;
  session: string | undefined;
  report: (text: string) => void;
}

export class BridgeName {
  readonly #ports: NamingPorts;
  #current: string | undefined;
  #choosing: Promise<string | undefined> | undefined;

  constructor(ports: NamingPorts) {
    this.#ports = ports;
    this.#current = ports.agent;
  }

  /** Undefined as long as it is not chosen. */
  get current(): string | undefined {
    return this.#current;
  }

  /** Chosen once. After a failure, as without a hub, the next call tries again. */
  whenKnown(hub: HubConnection, clientName: string | undefined): Promise<string | undefined> {
    this.#choosing ??= this.#choose(hub, clientName);
    this.#choosing.catch(() => (this.#choosing = undefined));
    return this.#choosing;
  }

  async #choose(hub: HubConnection, clientName: string | undefined): Promise<string | undefined> {
    const { agent, auto, session, report, hasKey } = this.#ports;
    const known = agent ?? (hasKey ? await nameOfKey(hub) : undefined);
    if (known !== undefined) this.#current = known;
    if (known !== undefined || auto === undefined) return known;
    const { url } = await hub.connect();
    const reader = new HubClient({ url, ...(session === undefined ? {} : { session }) });
    const registered = async () => {
      const { agents } = await reader.call('list_agents', { includeDetails: false });
      return new Set(agents.map(({ id }) => id));
    };
    const name = await chooseName({ ...auto, registered }, clientName);
    this.#current = name;
    // The next call connects under this name.
    hub.disconnect();
    report(`this agent is ${name}`);
    return name;
  }
}

/** The key of an observer has none, and a hub in open mode looks at no key. */
const nameless: ReadonlySet<ErrorCode> = new Set(['FORBIDDEN', 'IDENTITY_REQUIRED']);

async function nameOfKey(hub: HubConnection): Promise<string | undefined> {
  try {
    const call = { operation: 'get_notify_prefs', input: {}, mayRepeat: true, isUnprompted: true };
    const { agentId } = await hub.request(call);
    return typeof agentId === 'string' ? agentId : undefined;
  } catch (error) {
    if (error instanceof HubError && nameless.has(error.code)) return undefined;
    throw error;
  }
}
