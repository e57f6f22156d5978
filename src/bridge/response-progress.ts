// Who has answered so far in the critical thread that a call waits for, for its progress notifications.
import type { HubConnection } from './hub-connection.js';
import type { CallPlan } from './plan-call.js';

export class ResponseProgress {
  readonly #hub: HubConnection;
  readonly #caller: { agentId?: string };
  readonly #wanted: string;
  #threadId: unknown;

  constructor(hub: HubConnection, { operation, parsed, lease }: CallPlan) {
    this.#hub = hub;
    this.#caller = lease?.reader === undefined ? {} : { agentId: lease.reader };
    const { waitForResponses: wanted } = parsed ?? {};
    this.#wanted = typeof wanted === 'number' && wanted > 0 ? ` of ${wanted}` : '';
    if (operation.name === 'wait_for_responses') this.follow(parsed?.['threadId']);
  }

  follow(threadId: unknown): void {
    this.#threadId = threadId;
  }

  /** Undefined when the call waits for no thread, or the hub cannot be reached at the moment. */
  async text(): Promise<string | undefined> {
    // Not a reason to start a hub.
    if (this.#threadId === undefined || !this.#hub.isConnected) return undefined;
    try {
      const input = { threadId: this.#threadId, limit: 1, ...this.#caller };
      const { receipts } = await this.#hub.request({ operation: 'get_thread', input, mayRepeat: true });
      const names = namesOf(receipts);
      return `${names.length}${this.#wanted} answered${names.length === 0 ? '' : `: ${names.join(', ')}`}`;
    } catch {
      return undefined;
    }
  }
}

function namesOf(receipts: unknown): string[] {
  if (!Array.isArray(receipts)) return [];
  return receipts.flatMap((receipt: unknown) =>
    typeof receipt === 'object' && receipt !== null && 'answeredAt' in receipt && 'recipient' in receipt
      ? [String(receipt.recipient)]
      : [],
  );
}
