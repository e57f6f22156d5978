// /mcp: reads the message, then handles it as a cancellation, on the fast path, or with the SDK.
import { HubError } from '../contract/errors.js';
import { limits } from '../contract/limits.js';
import { connectionOf } from '../http/connection-identity.js';
import type { Exchange } from '../http/exchange.js';
import { readJson } from '../http/read-body.js';
import type { Connection, Grant } from '../ports/caller.js';
import type { Hold } from '../ports/caps.js';
import type { Cancellations } from './cancellations.js';
import { cancelReasonOf } from './decide-cancellation.js';
import { fastPathCallOf, serveFastPath } from './fast-path.js';
import { createSdkHandler, type SdkPorts } from './sdk-handler.js';
import { clientInfoOf, clientTitleOf } from './client-info.js';
import { clientNameOf, labelHeader, newLabel } from './session-label.js';

export interface McpEndpoint {
  serve(exchange: Exchange): Promise<void>;
  close(): Promise<void>;
}

/** Tests only: what the conformance suite calls besides the hub's tools; see conformance/. */
export interface Fixtures {
  handles(body: unknown): boolean;
  serve(exchange: Exchange, body: unknown): Promise<void>;
  close(): Promise<void>;
}

export interface EndpointPorts extends SdkPorts {
  /** Makes a named connection known before it calls a tool. */
  greet: (connection: Connection) => Promise<void>;
  /** A notification came, or a stream was opened. */
  noteSocket: (connection: Connection) => void;
  /** The client ends its session. */
  dismiss: (connection: Connection) => void;
  /** Counts a request that calls no tool as a call of its key, or refuses it. */
  spend: (grant: Grant | null) => void;
  holdStream: Hold;
  fixtures?: Fixtures | undefined;
}

export function createMcpEndpoint(ports: EndpointPorts): McpEndpoint {
  const sdk = createSdkHandler(ports);
  return {
    async serve(exchange) {
      const body = await bodyOf(exchange);
      if (body === refused) return;
      if (Array.isArray(body) && body.length > limits.batchMessages) throw batchTooLong(body.length);
      // A cancellation may have crossed the answers in transit, so it confirms none of them.
      if (!isCancellation(body)) exchange.confirmEarlierResponses();
      const call = fastPathCallOf(exchange, body);
      // A tool's call is counted where it is performed.
      if (call === undefined) ports.spend(exchange.grant);
      if (isCancellation(body)) cancel(ports.cancellations, exchange, body);
      if (ports.fixtures?.handles(body) === true) return ports.fixtures.serve(exchange, body);
      if (call !== undefined) return serveFastPath(ports, exchange, call);
      if (opensStream(body)) {
        const stream = ports.holdStream(exchange);
        stream.add(1);
        exchange.onEnd(() => stream.release());
      }
      const label = labelFor(body);
      await meet(ports, exchange, { body, label });
      return sdk.serve(exchange, body, label === undefined ? {} : { [labelHeader]: label });
    },
    async close() {
      await ports.fixtures?.close();
      await sdk.close();
    },
  };
}

const refused = Symbol('refused');

/** Invalid, too deep or oversized JSON gets a JSON-RPC error that contains our code. */
async function bodyOf(exchange: Exchange): Promise<unknown> {
  if (exchange.request.method !== 'POST') return undefined;
  try {
    return await readJson(exchange);
  } catch (error) {
    if (!(error instanceof HubError) || error.code === 'LIMIT_REACHED' || error.code === 'BUSY') throw error;
    const status = error.code === 'BODY_TOO_LARGE' ? 413 : 400;
    const problem = { code: -32700, message: `${error.code}: ${error.message} ${error.hint}`, data: error.toObject() };
    exchange.json(status, { jsonrpc: '2.0', id: null, error: problem });
    return refused;
  }
}

function batchTooLong(count: number): HubError {
  return new HubError(
    'INVALID_INPUT',
    `The batch has ${count} messages; at most ${limits.batchMessages} are accepted.`,
    {
      hint: 'Send them one by one, or in smaller batches.',
      details: { limit: limits.batchMessages },
    },
  );
}

interface Cancellation {
  params: { requestId: string | number; reason?: unknown };
}

function isCancellation(body: unknown): body is Cancellation {
  if (typeof body !== 'object' || body === null || !('method' in body) || !('params' in body)) return false;
  const { method, params } = body;
  if (method !== 'notifications/cancelled' || typeof params !== 'object' || params === null) return false;
  return 'requestId' in params && (typeof params.requestId === 'string' || typeof params.requestId === 'number');
}

/** Request ids are unique per client only. For a client without a label, only a closed connection cancels. */
function cancel(cancellations: Cancellations, exchange: Exchange, { params }: Cancellation): void {
  const label = exchange.header(labelHeader);
  if (label !== undefined) cancellations.cancel(label, params.requestId, cancelReasonOf(params.reason));
}

/** A request makes its connection known; a notification does not, or an agent that was removed would be back. */
async function meet(
  { greet, noteSocket, dismiss }: EndpointPorts,
  exchange: Exchange,
  { body, label }: { body: unknown; label: string | undefined },
): Promise<void> {
  if (exchange.request.method === 'DELETE') return dismiss(connectionOf(exchange));
  const method = isRequest(body) ? body.method : undefined;
  if (method === undefined) return noteSocket(connectionOf(exchange));
  const isHandshake = method === 'initialize' || method === 'server/discover';
  const clientTitle = clientTitleOf(body) ?? clientNameOf(exchange.header(labelHeader));
  return greet(connectionOf(exchange, { clientTitle, ...(isHandshake ? { handshake: { id: label ?? null } } : {}) }));
}

function isRequest(body: unknown): body is { method: string; id: unknown } {
  return (
    typeof body === 'object' && body !== null && 'id' in body && 'method' in body && typeof body.method === 'string'
  );
}

/** Of the 2026 era. Nothing that a client can listen for happens at a hub, but its stream stays open. */
function opensStream(body: unknown): boolean {
  return isRequest(body) && body.method === 'subscriptions/listen';
}

function labelFor(body: unknown): string | undefined {
  if (!isRequest(body) || body.method !== 'initialize') return undefined;
  return newLabel(clientInfoOf(body)?.name ?? '');
}
