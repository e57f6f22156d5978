// What became of messages, told to the hub: read, or given back.
import type { HubConnection } from './hub-connection.js';
import type { OutcomeHandlers } from './reply-evidence.js';

/** Where an answer's messages came from: the lease, and whose inbox it is if the connection does not say. */
export interface Lease {
  cursor: string;
  /** The messages' ids: a cancellation may come when the lease is over, and then takes back what was read. */
  ids: string[];
  reader?: string;
}

export class Settlements {
  readonly #hub: HubConnection;
  readonly #report: (problem: string) => void;
  readonly #running = new Set<Promise<void>>();

  constructor(hub: HubConnection, report: (problem: string) => void) {
    this.#hub = hub;
    this.#report = report;
  }

  handlersFor(lease: Lease): OutcomeHandlers {
    return {
      arrived: () => this.#settle(lease, { cursor: lease.cursor }),
      lost: () => this.release(lease),
      cancelled: () => this.#settle(lease, { ids: lease.ids, release: true }),
    };
  }

  release(lease: Lease): void {
    this.#settle(lease, { cursor: lease.cursor, release: true });
  }

  /** Resolves when the hub has heard of everything decided so far, or cannot be told. */
  async done(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** If the hub cannot be told, the lease runs out and the messages come again, marked: late, never lost. */
  #settle({ reader }: Lease, verdict: Record<string, unknown>): void {
    const input = { ...verdict, ...(reader === undefined ? {} : { agentId: reader }) };
    const told = this.#hub.request({ operation: 'ack_messages', input, mayRepeat: true }).then(
      () => {},
      (error: unknown) => this.#report(`could not settle an answer: ${String(error)}`),
    );
    this.#running.add(told);
    void told.then(() => this.#running.delete(told));
  }
}
