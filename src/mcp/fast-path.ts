// The fast path: answers a well-formed tools/call of either era directly on node:http. Everything else goes to the SDK,
// including malformed calls, which it refuses as the protocol demands.
import type { Exchange } from '../http/exchange.js';
import { clientInfoOf } from './client-info.js';
import { EventStream } from './event-stream.js';
import { callTool, type ToolCallPorts } from './tool-call.js';
import type { ToolResult } from './tool-result.js';

const modernRevision = '2026-07-28';
const legacyRevisions = new Set(['2025-11-25', '2025-06-18', '2025-03-26']);
const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const;

export interface FastPathCall {
  era: 'modern' | 'legacy';
  id: string | number;
  name: string;
  arguments: unknown;
  clientName: string | undefined;
  clientTitle: string | undefined;
  progressToken: string | number | undefined;
}

/** Undefined for a message that the SDK must handle. */
export function fastPathCallOf(exchange: Exchange, body: unknown): FastPathCall | undefined {
  if (!isRecord(body) || body['method'] !== 'tools/call' || body['jsonrpc'] !== '2.0') return undefined;
  const { id, params } = body;
  if ((typeof id !== 'string' && typeof id !== 'number') || !isRecord(params)) return undefined;
  const { name, arguments: given } = params;
  if (typeof name !== 'string' || (given !== undefined && !isRecord(given))) return undefined;
  if (!acceptsBoth(exchange) || !isJson(exchange)) return undefined;
  const meta = isRecord(params['_meta']) ? params['_meta'] : {};
  const era = eraOf(exchange, meta, name);
  if (era === undefined) return undefined;
  const token = meta['progressToken'];
  const client = clientInfoOf(body);
  return {
    era,
    id,
    name,
    arguments: given,
    clientName: client?.name,
    clientTitle: client?.title ?? client?.name,
    progressToken: typeof token === 'string' || typeof token === 'number' ? token : undefined,
  };
}

function eraOf(exchange: Exchange, meta: Record<string, unknown>, name: string): FastPathCall['era'] | undefined {
  const version = exchange.header('mcp-protocol-version');
  const claimed = meta[metaKeys.protocolVersion];
  if (claimed === undefined) return version === undefined || legacyRevisions.has(version) ? 'legacy' : undefined;
  const agrees =
    claimed === modernRevision &&
    version === modernRevision &&
    exchange.header('mcp-method') === 'tools/call' &&
    exchange.header('mcp-name') === name &&
    isRecord(meta[metaKeys.clientCapabilities]);
  return agrees ? 'modern' : undefined;
}

function acceptsBoth(exchange: Exchange): boolean {
  const accept = exchange.header('accept') ?? '';
  return accept.includes('application/json') && accept.includes('text/event-stream');
}

function isJson(exchange: Exchange): boolean {
  return /^application\/json\s*(;|$)/i.test(exchange.header('content-type') ?? '');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface FastPathPorts extends ToolCallPorts {
  serverInfo: { name: string; version: string };
}

/** Responds with JSON, or with an event stream if progress is reported before the result. */
export async function serveFastPath(ports: FastPathPorts, exchange: Exchange, call: FastPathCall): Promise<void> {
  const { progressToken } = call;
  const stream = progressToken === undefined ? undefined : new EventStream(exchange);
  let progress = 0;
  const report = (message: string) => {
    progress += 1;
    stream?.send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress, message } });
  };
  const result = await callTool(ports, exchange, {
    requestId: call.id,
    name: call.name,
    arguments: call.arguments,
    clientName: call.clientName,
    clientTitle: call.clientTitle,
    progress: stream === undefined ? undefined : report,
  });
  const answer = { jsonrpc: '2.0', id: call.id, result: call.era === 'modern' ? modernResult(ports, result) : result };
  if (stream?.isOpen === true) stream.end(answer);
  else await exchange.jsonWithData(200, answer, dataBytesIn(result));
}

function dataBytesIn({ content }: ToolResult): number {
  return content.reduce((sum, part) => sum + (part.type === 'text' ? 0 : part.data.length), 0);
}

/** An error for a client that gets text has no `_meta` at all: some show it to their model. */
function modernResult({ serverInfo }: FastPathPorts, result: ToolResult): Record<string, unknown> {
  if (result.isError === true && result._meta === undefined) return { ...result, resultType: 'complete' };
  return { ...result, resultType: 'complete', _meta: { ...result._meta, [metaKeys.serverInfo]: serverInfo } };
}
