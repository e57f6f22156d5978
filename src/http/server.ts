// The hub's HTTP server: guards, then routes. All errors are written in one place.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { HubError, toHubError } from '../contract/errors.js';
import type { Dispatch } from '../dispatch/dispatch.js';
import type { Grant } from '../ports/caller.js';
import type { Hold } from '../ports/caps.js';
import type { Log } from '../ports/log.js';
import { serveEvents, type EventsPorts } from './events-route.js';
import { Exchange } from './exchange.js';
import { requireTrustedOrigin } from './guard.js';
import { landingPage } from './landing-page.js';
import { describeApi } from './openapi/describe-api.js';
import { serveOperation } from './operations-route.js';
import { closeWithConnection } from './queued-responses.js';
import { serveMetrics, serveReady, type StatusPorts } from './status-routes.js';

export interface HttpPorts extends EventsPorts, StatusPorts {
  store: EventsPorts['store'] & StatusPorts['store'];
  dispatch: Dispatch;
  /** Serves /mcp. */
  serveMcp: (exchange: Exchange) => Promise<void>;
  /** Throws if the hub has keys and the request brings none that works. Ends the exchange when the key ends. */
  authenticate: (exchange: Exchange) => Promise<Grant | null>;
  /** False in open mode. */
  hasKeys: () => boolean;
  /** Counts the bytes of requests that are being served. */
  holdBody: Hold;
  log: Log;
  version: string;
}

export function createHttpServer(ports: HttpPorts): Server {
  const server = createServer(
    { keepAlive: true, noDelay: true },
    (request, response) => void handle(ports, request, response),
  );
  // Longer than the evidence window, and than the idle timeout of clients that pool connections.
  server.keepAliveTimeout = 65_000;
  server.headersTimeout = 66_000;
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    else socket.destroy();
  });
  return server;
}

async function handle(ports: HttpPorts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let exchange: Exchange | undefined;
  closeWithConnection(request, response);
  closeWhenStopping(ports, response);
  try {
    exchange = new Exchange(request, response, ports.holdBody);
    requireTrustedOrigin(request);
    if (!isPublic(exchange)) exchange.grant = await ports.authenticate(exchange);
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

const publicPaths = new Set(['/', '/healthz', '/readyz', '/register']);

/** Served without a key: nothing of the hub's data is there. */
function isPublic({ url: { pathname } }: Exchange): boolean {
  return publicPaths.has(pathname) || pathname.startsWith('/.well-known/');
}

const operationPath = /^\/v1\/([A-Za-z][A-Za-z0-9_-]*)$/;

async function route(ports: HttpPorts, exchange: Exchange): Promise<void> {
  const path = exchange.url.pathname;
  if (path === '/mcp') return ports.serveMcp(exchange);
  if (await serveReadOnly(ports, exchange, path)) return undefined;
  const operation = operationPath.exec(path)?.[1];
  if (operation !== undefined) return serveOperation(ports.dispatch, exchange, operation);
  throw new HubError('ROUTE_UNKNOWN', `Nothing is served at ${path.slice(0, 100)}.`, {
    hint: 'MCP is at /mcp, operations at POST /v1/<operation>, their list at GET /v1/openapi.json.',
  });
}

const readOnly: Record<string, (ports: HttpPorts, exchange: Exchange) => Promise<void> | void> = {
  '/': serveLandingPage,
  '/v1/openapi.json': ({ version }, exchange) => exchange.json(200, describeApi({ version, url: urlOf(exchange) })),
  '/v1/events': serveEvents,
  '/healthz': (_ports, exchange) => exchange.json(200, { status: 'ok' }),
  '/readyz': serveReady,
  '/metrics': serveMetrics,
};

/** All but the operations, and the paths where nothing is served. */
export const servedPaths: readonly string[] = ['/mcp', ...Object.keys(readOnly)];

async function serveReadOnly(ports: HttpPorts, exchange: Exchange, path: string): Promise<boolean> {
  const serve = Object.hasOwn(readOnly, path) ? readOnly[path] : undefined;
  if (serve === undefined) return false;
  if (!['GET', 'HEAD'].includes(exchange.request.method ?? '')) {
    throw new HubError('METHOD_NOT_ALLOWED', `${path} is read with GET.`, {
      hint: `GET ${path}`,
      details: { allow: 'GET, HEAD' },
    });
  }
  await serve(ports, exchange);
  return true;
}

/** As this client reaches the hub. */
function urlOf(exchange: Exchange): string {
  return `http://${exchange.header('host') ?? ''}`;
}

function serveLandingPage({ version, hasKeys }: HttpPorts, exchange: Exchange): void {
  const page = landingPage({ url: urlOf(exchange), version, hasKeys: hasKeys() });
  const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";
  exchange.text(200, page, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
}

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
