// The official SDK serves everything but well-formed tools/calls: handshakes of both eras, lists, pings, errors.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { createMcpHandler, Server, type McpHttpHandler } from '@modelcontextprotocol/server';
import { HubError } from '../contract/errors.js';
import type { Exchange } from '../http/exchange.js';
import type { Log } from '../ports/log.js';
import { instructions } from './instructions.js';
import { clientNameOf, progressOf } from './sdk-request.js';
import { callTool, toolsShownTo, type ToolCallPorts } from './tool-call.js';
import { listTools } from './tool-list.js';

export interface SdkPorts extends ToolCallPorts {
  serverInfo: { name: string; version: string };
  log: Log;
}

export interface SdkHandler {
  serve(exchange: Exchange, body: unknown, headers: Record<string, string>): Promise<void>;
  close(): Promise<void>;
}

export function createSdkHandler(ports: SdkPorts): SdkHandler {
  /** The exchange a handler runs for: the SDK passes web requests only, but evidence needs the socket. */
  const current = new AsyncLocalStorage<Exchange>();
  const handler = createMcpHandler(() => buildServer(ports, current), {
    onerror: (error) => ports.log.info('mcp refused', { error: error.message }),
  });
  return {
    serve: (exchange, body, headers) =>
      current.run(exchange, () => serveWithFetch(handler, exchange, { body, headers })),
    close: () => handler.close(),
  };
}

function buildServer(ports: SdkPorts, current: AsyncLocalStorage<Exchange>): Server {
  const server = new Server(ports.serverInfo, {
    capabilities: { tools: {} },
    instructions,
    // A key sees its own tools.
    cacheHints: { 'tools/list': { ttlMs: 0, cacheScope: 'private' } },
  });
  const exchangeOf = () => {
    const exchange = current.getStore();
    if (exchange === undefined) throw new Error('a request outside of any exchange');
    return exchange;
  };
  server.setRequestHandler('tools/list', () => ({ tools: listTools(toolsShownTo(exchangeOf())) }));
  server.setRequestHandler('tools/call', ({ params }, context) =>
    callTool(ports, exchangeOf(), {
      requestId: context.mcpReq.id,
      name: params.name,
      arguments: params.arguments,
      clientName: clientNameOf(server, context),
      progress: progressOf(context),
    }),
  );
  return server;
}

const methods = ['GET', 'POST', 'DELETE'];

/** A web request cannot have every method that node accepts: it throws on TRACE. */
function methodOf({ method = '' }: IncomingMessage): string {
  if (methods.includes(method)) return method;
  const allow = methods.join(', ');
  throw new HubError('METHOD_NOT_ALLOWED', `/mcp takes ${allow}.`, {
    hint: 'POST a JSON-RPC message to /mcp.',
    details: { allow },
  });
}

/** Converts node's request to a web request, and the web response back. The body is already read. */
export async function serveWithFetch(
  handler: Pick<McpHttpHandler, 'fetch'>,
  exchange: Exchange,
  { body, headers: extraHeaders = {} }: { body: unknown; headers?: Record<string, string> },
): Promise<void> {
  const abort = new AbortController();
  exchange.onGone(() => abort.abort());
  const { request, response, url } = exchange;
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const method = methodOf(request);
  const webRequest = new Request(url, { method, headers, signal: abort.signal });
  const answer = await handler.fetch(webRequest, body === undefined ? {} : { parsedBody: body });
  if (exchange.isGone) return;
  // Whether the connection stays open is between node and the client, who may have asked to close it.
  answer.headers.delete('connection');
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), ...extraHeaders });
  // A stream may stay silent for long, but its client waits for the headers.
  if (answer.headers.get('content-type') === 'text/event-stream') response.flushHeaders();
  for await (const chunk of answer.body ?? []) {
    if (exchange.isGone) return;
    response.write(chunk);
  }
  response.end();
}
