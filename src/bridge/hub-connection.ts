// The bridge's connection to its hub: finds the hub, and finds or starts one again after a failure.
import type { HubClient } from '../client/hub-client.js';
import { lostOutcomeOf } from '../client/unreachable.js';
import { HubError } from '../contract/errors.js';

export interface HubConnectionPorts {
  /** Finds the hub, or starts one. `hadHub`: this bridge was connected before. */
  locate: (hadHub: boolean) => Promise<string>;
  /** Whether a hub is there, without starting one. */
  isServing: () => Promise<boolean>;
  clientAt: (url: string) => HubClient;
  /** Reads the key again; true if it is another one. */
  renewKey: () => boolean;
}

export interface HubCall {
  operation: string;
  input: Record<string, unknown>;
  signal?: AbortSignal;
  /** Idempotent, so it may be retried after a broken connection. */
  mayRepeat: boolean;
  /** How long the hub may hold the request. */
  waitMsMax?: number;
  /** Of the bridge itself: no tool call asked for it. */
  isUnprompted?: boolean;
}

export class HubConnection {
  readonly #ports: HubConnectionPorts;
  #located: Promise<HubClient> | undefined;
  #hadHub = false;

  constructor(ports: HubConnectionPorts) {
    this.#ports = ports;
  }

  /** Concurrent calls share one search. */
  connect(): Promise<HubClient> {
    if (this.#located !== undefined) return this.#located;
    const located = this.#ports.locate(this.#hadHub).then((url) => {
      this.#hadHub = true;
      return this.#ports.clientAt(url);
    });
    this.#located = located;
    located.catch(() => this.#forget(located));
    return located;
  }

  /** The hub is stopping: the next call searches again. */
  disconnect(): void {
    this.#located = undefined;
  }

  /** True if a call would start no hub. */
  async isBack(): Promise<boolean> {
    return this.isConnected || this.#ports.isServing();
  }

  get isConnected(): boolean {
    return this.#located !== undefined;
  }

  async request(call: HubCall): Promise<Record<string, unknown>> {
    const { operation, input, mayRepeat } = call;
    const located = this.connect();
    const client = await located;
    try {
      return await client.request(operation, input, call);
    } catch (error) {
      const outcome = lostOutcomeOf(error);
      if (outcome === undefined && !this.#hasNewKey(error, located)) throw error;
      this.#forget(located);
      if (outcome === 'unknown' && !mayRepeat) throw outcomeUnknown(call, error);
      // A key may also end during a call.
      if (outcome === undefined && !mayRepeat) throw error;
    }
    return this.#retry(call);
  }

  async #retry(call: HubCall): Promise<Record<string, unknown>> {
    const located = this.connect();
    const client = await located;
    try {
      return await client.request(call.operation, call.input, call);
    } catch (error) {
      if (lostOutcomeOf(error) === undefined) throw error;
      this.#forget(located);
      throw outcomeUnknown(call, error);
    }
  }

  /** After a key was rotated its file has the new one. Another call may have read it already. */
  #hasNewKey(error: unknown, located: Promise<HubClient>): boolean {
    return isAboutKey(error) && (this.#ports.renewKey() || this.#located !== located);
  }

  #forget(located: Promise<HubClient>): void {
    if (this.#located === located) this.#located = undefined;
  }
}

export function isAboutKey(error: unknown): boolean {
  return error instanceof HubError && (error.code === 'KEY_INVALID' || error.code === 'KEY_REQUIRED');
}

function outcomeUnknown({ operation, input }: HubCall, cause: unknown): HubError {
  const key = input['idempotency_key'] ?? input['idempotencyKey'];
  const hint =
    typeof key === 'string'
      ? `Call ${operation} again with the same arguments and idempotency_key "${key}": it is done only once.`
      : `Check whether it was done, and call ${operation} again if it was not.`;
  return new HubError(
    'HUB_UNREACHABLE',
    `The connection to the hub was lost during ${operation}; the outcome is unknown: it may have been done.`,
    { hint, details: { operation, outcome: 'unknown' }, cause },
  );
}
