// The hub's HTTP server: guards, then routes. All errors are written in one place.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { HubError, toHubError } from '../contract/errors.js';
import { limits } from '../contract/limits.js';
import type { Dispatch } from '../dispatch/dispatch.js';
import type { Grant } from '../ports/caller.js';
import type { Log } from '../ports/log.js';
import { noteArrival } from '../ports/long-turns.js';
import { isAssetPath, isPagePath, serveAsset } from './app/assets.js';
import { isAnswerPath, serveAnswer, type AnswerPorts } from './app/answer-route.js';
import { appPaths, serveApp, type AppPorts } from './app/routes.js';
import { serveEvents, type EventsPorts } from './events-route.js';
import { Exchange, type ExchangePorts } from './exchange.js';
import { guard, requireOwnOrigin, type GuardPorts } from './guard.js';
import { isOAuthPath, serveNoOAuth } from './no-oauth.js';
import { describeApi } from './openapi/describe-api.js';
import { serveOperation } from './operations-route.js';
import { closeWithConnection } from './queued-responses.js';
import { answerClientErrors, capConnections, isRefused } from './refused-connections.js';
import { serveMetrics, serveReady, type StatusPorts } from './status-routes.js';
import { followTlsFiles, type TlsFiles, type TlsPair } from './tls.js';

export interface HttpPorts extends EventsPorts, StatusPorts, GuardPorts, ExchangePorts, AppPorts, AnswerPorts {
  store: EventsPorts['store'] & StatusPorts['store'] & AppPorts['store'];
  dispatch: Dispatch;
  /** Serves /mcp. */
  serveMcp: (exchange: Exchange) => Promise<void>;
  /** Throws if the hub has keys and the request brings none that works. Ends the exchange when the key ends. */
  authenticate: (exchange: Exchange) => Grant | null | Promise<Grant | null>;
  /** Counts a request that calls no operation as a call of its key, or refuses it. */
  spend: (grant: Grant | null) => void;
  log: Log;
  version: string;
  /** Null without TLS. */
  tls: { files: TlsFiles; pair: TlsPair } | null;
}

export type HubServer = Server | SecureServer;

/** How often requests that take too long are looked for. */
const checkEveryMs = 1_000;
const handshakeMs = 10_000;

export function createHttpServer(ports: HttpPorts): HubServer {
  const options = {
    keepAlive: true,
    noDelay: true,
    // Longer than the evidence window, and than the idle timeout of clients that pool connections.
    keepAliveTimeout: 65_000,
    headersTimeout: Math.min(limits.headersMs, limits.requestMs),
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: checkEveryMs,
    maxHeaderSize: limits.headerBytes,
    // Answered by the guard.
    requireHostHeader: false,
  };
  /** The last response on each connection. */
  const responses = new WeakMap<Socket, ServerResponse>();
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    if (isRefused(request.socket)) return;
    responses.set(request.socket, response);
    void handle(ports, request, response);
  };
  const server =
    ports.tls === null ? createServer(options, onRequest) : secureServer(ports, ports.tls, options, onRequest);
  // One more than is allowed: Node drops the others.
  server.maxHeadersCount = limits.headers + 1;
  capConnections(server, ports.reach);
  server.on('connection', noteArrival);
  answerClientErrors(server, (socket) => {
    const last = responses.get(socket);
    return last !== undefined && last.headersSent && !(last.writableFinished && last.req.complete);
  });
  return server;
}

function secureServer(
  { log }: HttpPorts,
  { files, pair }: NonNullable<HttpPorts['tls']>,
  options: object,
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
): SecureServer {
  // Half-open as without TLS: a client that has sent its last request may still read the answer.
  const secure = { ...pair, minVersion: 'TLSv1.2' as const, handshakeTimeout: handshakeMs, allowHalfOpen: true };
  const server = createSecureServer({ ...options, ...secure }, onRequest);
  server.once('close', followTlsFiles(server, files, log));
  return server;
}

async function handle(ports: HttpPorts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let exchange: Exchange | undefined;
  closeWithConnection(request, response);
  closeWhenStopping(ports, response);
  try {
    exchange = new Exchange(request, response, ports);
    guard(exchange, ports);
    if (isOAuthPath(exchange.url.pathname)) return serveNoOAuth(exchange, ports.hasKeys());
    if (isAnswerPath(exchange.url.pathname)) return await serveAnswer(ports, exchange);
    requireOwnOrigin(exchange, ports.reach);
    if (!isPublic(exchange.url.pathname)) exchange.grant = await ports.authenticate(exchange);
    await route(ports, exchange);
  } catch (thrown) {
    const error = toHubError(thrown);
    if (error.code === 'INTERNAL') ports.log.error('bug', { operation: 'http', error: describe(error.cause) });
    exchange?.error(error);
    // An unread body would be parsed as the next request.
    if (!request.complete) request.resume();
  } finally {
    exchange?.releaseBody();
  }
}

/** `Connection: close` makes the client reconnect, to another hub, before this one closes the connection. */
function closeWhenStopping({ isStopping, onStop }: HttpPorts, response: ServerResponse): void {
  const close = () => {
    response.shouldKeepAlive = false;
  };
  if (isStopping()) close();
  else response.once('close', onStop(close));
}

/** Served without a key: nothing of the hub's data is there. */
const publicPaths = new Set(['/healthz', '/readyz']);

function isPublic(path: string): boolean {
  return publicPaths.has(path) || isPagePath(path) || isAssetPath(path);
}

const operationPath = /^\/v1\/([A-Za-z][A-Za-z0-9_-]*)$/;

async function route(ports: HttpPorts, exchange: Exchange): Promise<void> {
  const path = exchange.url.pathname;
  if (path === '/mcp') return ports.serveMcp(exchange);
  if (path.startsWith('/app/') && (await serveApp(ports, exchange))) return undefined;
  if (await serveReadOnly(ports, exchange, path)) return undefined;
  const operation = operationPath.exec(path)?.[1];
  if (operation !== undefined) return serveOperation(ports.dispatch, exchange, operation);
  if (isPagePath(path) || isAssetPath(path)) requireRead(exchange, path);
  if (await serveAsset(exchange, path)) return undefined;
  throw new HubError('ROUTE_UNKNOWN', `Nothing is served at ${path.slice(0, 100)}.`, {
    hint: 'MCP is at /mcp, operations at POST /v1/<operation>, their list at GET /v1/openapi.json.',
  });
}

const readOnly: Record<string, (ports: HttpPorts, exchange: Exchange) => Promise<void> | void> = {
  '/v1/openapi.json': ({ version }, exchange) => exchange.json(200, describeApi({ version, url: exchange.hubUrl })),
  '/v1/events': serveEvents,
  '/healthz': (_ports, exchange) => exchange.json(200, { status: 'ok' }),
  '/readyz': serveReady,
  '/metrics': serveMetrics,
};

/** All but the operations, and the paths where nothing is served. */
export const servedPaths: readonly string[] = ['/', '/mcp', ...Object.keys(readOnly), ...appPaths];

function requireRead({ request: { method } }: Exchange, path: string): void {
  if (method === 'GET' || method === 'HEAD') return;
  throw new HubError('METHOD_NOT_ALLOWED', `${path.slice(0, 100)} is read with GET.`, {
    hint: `GET ${path.slice(0, 100)}`,
    details: { allow: 'GET, HEAD' },
  });
}

async function serveReadOnly(ports: HttpPorts, exchange: Exchange, path: string): Promise<boolean> {
  const serve = Object.hasOwn(readOnly, path) ? readOnly[path] : undefined;
  if (serve === undefined) return false;
  requireRead(exchange, path);
  ports.spend(exchange.grant);
  await serve(ports, exchange);
  return true;
}

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
