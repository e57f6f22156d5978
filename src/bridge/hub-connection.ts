// The way to the hub: where it is, and what to do when it is no longer there.
import type { HubClient } from '../client/hub-client.js';
import { lostOutcomeOf } from '../client/unreachable.js';
import { HubError } from '../contract/errors.js';

export interface HubConnectionPorts {
  /** Finds the hub, starting one if need be. `isReturning`: there was one a moment ago. */
  locate: (isReturning: boolean) => Promise<string>;
  clientAt: (url: string) => HubClient;
}

export interface HubCall {
  operation: string;
  input: Record<string, unknown>;
  signal?: AbortSignal;
  /** Doing it twice is as good as once, so that a broken connection is no reason to give up. */
  mayRepeat: boolean;
  /** The longest the hub may hold the request. */
  waitMsMax?: number;
}

export class HubConnection {
  readonly #ports: HubConnectionPorts;
  #located: Promise<HubClient> | undefined;
  #hadHub = false;

  constructor(ports: HubConnectionPorts) {
    this.#ports = ports;
  }

  /** Looks for the hub once; calls made meanwhile share the search. */
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

  /** The hub is known to be going away: the next call looks for one again. */
  disconnect(): void {
    this.#located = undefined;
  }

  async request(call: HubCall): Promise<Record<string, unknown>> {
    const { operation, input, signal, mayRepeat, waitMsMax } = call;
    const located = this.connect();
    const client = await located;
    try {
      return await client.request(operation, input, { signal, waitMsMax });
    } catch (error) {
      const outcome = lostOutcomeOf(error);
      if (outcome === undefined) throw error;
      this.#forget(located);
      if (outcome === 'unknown' && !mayRepeat) throw outcomeUnknown(call, error);
    }
    return this.#requestAgain(call);
  }

  async #requestAgain(call: HubCall): Promise<Record<string, unknown>> {
    const located = this.connect();
    const client = await located;
    try {
      return await client.request(call.operation, call.input, { signal: call.signal, waitMsMax: call.waitMsMax });
    } catch (error) {
      if (lostOutcomeOf(error) === undefined) throw error;
      this.#forget(located);
      throw outcomeUnknown(call, error);
    }
  }

  #forget(located: Promise<HubClient>): void {
    if (this.#located === located) this.#located = undefined;
  }
}

function outcomeUnknown({ operation, input }: HubCall, cause: unknown): HubError {
  const key = input['idempotency_key'] ?? input['idempotencyKey'];
  const hint =
    typeof key === 'string'
      ? `Call ${operation} again with the same arguments and idempotency_key "${key}": it is done once, however often you call.`
      : `Look at what it should have changed, then call ${operation} again if it is missing.`;
  return new HubError(
    'HUB_UNREACHABLE',
    `The hub went away during ${operation}; the outcome is unknown: it may have been done.`,
    { hint, details: { operation, outcome: 'unknown' }, cause },
  );
}
