// Reports to the hub whether messages were read or must be released.
import type { HubConnection } from './hub-connection.js';
import type { OutcomeHandlers } from './reply-evidence.js';

/** The lease of an answer's messages, and its reader if that is not the connection's agent. */
export interface Lease {
  cursor: string;
  /** The messages' ids: a cancellation after the end of the lease makes them unread by id. */
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

  /** Resolves when everything decided so far was reported to the hub, or could not be. */
  async done(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** If the report fails, the lease expires and the messages are redelivered, marked: late, never lost. */
  #settle({ reader }: Lease, verdict: Record<string, unknown>): void {
    const input = { ...verdict, ...(reader === undefined ? {} : { agentId: reader }) };
    // A client that took its answer is at work; one that did not may be gone.
    const isUnprompted = 'release' in verdict;
    const reported = this.#hub.request({ operation: 'ack_messages', input, mayRepeat: true, isUnprompted }).then(
      () => {},
      (error: unknown) => this.#report(`could not settle an answer: ${String(error)}`),
    );
    this.#running.add(reported);
    void reported.then(() => this.#running.delete(reported));
  }
}
