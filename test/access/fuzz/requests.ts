// Requests as bytes: calls of operations at both doors, and everything else that a socket can carry.
import type { SeededRandom } from '../../fault/load/seeded-random.mjs';
import { agentNames, type Api, type FuzzedOperation } from './from-schema.js';
import { damaged, junkObject, junkText, junkValue } from './junk.js';

export interface FuzzRequest {
  what: string;
  bytes: Buffer;
  /** It waits, streams, or is never complete: the fuzz gives up on it. */
  mayStayOpen: boolean;
}

export interface Callers {
  /** Headers that prove who calls; none in open mode. */
  good: readonly string[];
  bad: readonly string[];
}

interface Draft {
  what: string;
  method: string;
  path: string;
  headers: string[];
  body: Buffer;
  mayStayOpen?: boolean;
}

const waits = /^(wait_for_|create_critical_thread|get_response)/;

export function fuzzRequest(api: Api, callers: Callers, random: SeededRandom): FuzzRequest {
  const share = random.next();
  const draft =
    share < 0.5
      ? overHttp(api, random)
      : share < 0.8
        ? overMcp(api, random)
        : share < 0.87
          ? junkRpc(api, random)
          : elsewhere(api, random);
  const headers = [...draft.headers, ...callerHeaders(callers, random)];
  if (random.happens(0.08)) headers.push(...junkHeaders(random));
  const damage = random.happens(0.04) ? random.pick(damages) : whole;
  return damage({ ...draft, headers }, random);
}

const json = 'content-type: application/json';
const accepts = 'accept: application/json, text/event-stream';

function bodyOf(value: unknown, random: SeededRandom): Buffer {
  const text = JSON.stringify(value) ?? 'null';
  return random.happens(0.05) ? damaged(random, text) : Buffer.from(text);
}

function overHttp(api: Api, random: SeededRandom): Draft {
  const operation = random.pick(api.operations);
  const input = random.happens(0.05) ? junkValue(random) : api.inputFor(operation, random);
  const type = random.happens(0.03) ? `content-type: ${random.pick(contentTypes)}` : json;
  return {
    what: `POST ${operation.name} ${JSON.stringify(input).slice(0, 300)}`,
    method: 'POST',
    path: `/v1/${operation.name}${query(random)}`,
    headers: [type, ...(random.happens(0.05) ? ['coterie-wait-ms: 5'] : [])],
    body: bodyOf(input, random),
    mayStayOpen: waits.test(operation.name),
  };
}

const contentTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  '',
  'x',
  '/',
];

const modern = '2026-07-28';

function overMcp(api: Api, random: SeededRandom): Draft {
  const operation = random.pick(api.operations);
  const input = random.happens(0.05) ? junkValue(random) : api.inputFor(operation, random);
  const isModern = random.happens(0.3);
  const meta = {
    'io.modelcontextprotocol/protocolVersion': modern,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  };
  const call = {
    jsonrpc: '2.0',
    id: random.whole(0, 9),
    method: 'tools/call',
    params: {
      name: operation.name,
      arguments: input,
      ...(isModern ? { _meta: meta } : random.happens(0.2) ? { _meta: { progressToken: random.whole(0, 3) } } : {}),
    },
  };
  return {
    what: `MCP ${operation.name} ${JSON.stringify(input).slice(0, 300)}`,
    method: 'POST',
    path: `/mcp${query(random)}`,
    headers: [json, accepts, ...protocolHeaders(operation, isModern)],
    body: bodyOf(call, random),
    mayStayOpen: waits.test(operation.name),
  };
}

function protocolHeaders({ name }: FuzzedOperation, isModern: boolean): string[] {
  return isModern
    ? [`mcp-protocol-version: ${modern}`, 'mcp-method: tools/call', `mcp-name: ${name}`]
    : ['mcp-protocol-version: 2025-06-18'];
}

const methods = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'server/discover',
  'subscriptions/listen',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  '__proto__',
  '',
];

/** JSON-RPC that is wrong in some way, batches among it. */
function junkRpc(api: Api, random: SeededRandom): Draft {
  const one = () => ({
    jsonrpc: random.happens(0.9) ? '2.0' : junkValue(random),
    ...(random.happens(0.8) ? { id: random.happens(0.7) ? random.whole(0, 5) : junkValue(random) } : {}),
    method: random.happens(0.9) ? random.pick(methods) : junkValue(random),
    ...(random.happens(0.8) ? { params: paramsOf(api, random) } : {}),
    ...(random.happens(0.1) ? junkObject(random) : {}),
  });
  const share = random.next();
  const message =
    share < 0.7 ? one() : share < 0.85 ? Array.from({ length: random.whole(0, 4) }, one) : junkValue(random);
  const version = random.pick(['2025-06-18', '2025-11-25', modern, '1999-01-01', '']);
  return {
    what: `MCP ${JSON.stringify(message)?.slice(0, 300)}`,
    method: 'POST',
    path: `/mcp${query(random)}`,
    headers: [json, random.happens(0.8) ? accepts : 'accept: */*', `mcp-protocol-version: ${version}`],
    body: bodyOf(message, random),
    mayStayOpen: true,
  };
}

function paramsOf(api: Api, random: SeededRandom): unknown {
  const operation = random.pick(api.operations);
  const share = random.next();
  if (share < 0.3) return junkValue(random);
  if (share < 0.6) return { name: operation.name, arguments: junkValue(random) };
  if (share < 0.8) {
    return { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: junkText(random), version: '1' } };
  }
  return { requestId: random.whole(0, 5), reason: junkText(random) };
}

const routes = [
  '/',
  '/mcp',
  '/v1/events',
  '/v1/openapi.json',
  '/v1/',
  '/v1',
  '/healthz',
  '/readyz',
  '/metrics',
  '/register',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server/mcp',
  '/.well-known/openid-configuration',
  '/favicon.ico',
  '//elsewhere/x',
  '*',
  'http://127.0.0.1/healthz',
  '/v1/__proto__',
  '/v1/constructor',
  '/v1/%00',
  '/v1/..%2f..%2fetc',
  '/%',
  '/\\',
  '/v1/events?after=99999999999999999999&session=%ff',
];

const httpMethods = [
  'GET',
  'GET',
  'GET',
  'POST',
  'HEAD',
  'PUT',
  'DELETE',
  'OPTIONS',
  'PATCH',
  'TRACE',
  'PROPFIND',
  'get',
];

function elsewhere(api: Api, random: SeededRandom): Draft {
  const method = random.pick(httpMethods);
  const path = random.happens(0.8)
    ? random.pick(routes)
    : `/${random.happens(0.5) ? 'v1/' : ''}${encodeURIComponent(printable(junkText(random)))}`;
  const isRead = method === 'GET' || method === 'HEAD';
  return {
    what: `${method} ${path.slice(0, 100)}`,
    method,
    path: path.slice(0, 4_000) + (path.includes('?') ? '' : query(random)),
    headers: [accepts, ...(random.happens(0.2) ? [`last-event-id: ${printable(junkText(random))}`] : [])],
    body: isRead ? Buffer.alloc(0) : bodyOf(random.happens(0.5) ? {} : junkValue(random), random),
    mayStayOpen: true,
  };
}

function query(random: SeededRandom): string {
  if (!random.happens(0.15)) return '';
  const name = random.pick(['agent', 'session', 'tools', 'results', 'after', 'key', 'x']);
  const value = random.happens(0.5) ? random.pick([...agentNames, 'all', 'fuzz']) : printable(junkText(random));
  return `?${name}=${encodeURIComponent(value).slice(0, 1_000)}`;
}

/** Lone surrogates cannot be written as UTF-8. */
function printable(text: string): string {
  return Buffer.from(text.slice(0, 300)).toString();
}

function callerHeaders({ good, bad }: Callers, random: SeededRandom): string[] {
  if (good.length === 0) {
    const agent = random.happens(0.75) ? [`coterie-agent: ${random.pick(agentNames)}`] : [];
    return random.happens(0.1) ? [...agent, 'coterie-session: fuzz'] : agent;
  }
  if (random.happens(0.85)) return [`authorization: Bearer ${random.pick(good)}`];
  return random.happens(0.5) ? [random.pick(bad)] : [random.pick(bad), `authorization: Bearer ${random.pick(good)}`];
}

function junkHeaders(random: SeededRandom): string[] {
  const value = headerText(junkText(random));
  return random.pick([
    [`coterie-agent: ${value}`],
    [`coterie-session: ${value}`],
    [`mcp-session-id: ${value}`],
    [`x-forwarded-for: ${value}`, 'x-forwarded-host: evil.example', 'x-forwarded-proto: https'],
    ['forwarded: for=1.2.3.4;host=evil.example'],
    [`origin: ${value}`],
    ['origin: http://evil.example', 'sec-fetch-site: cross-site'],
    ['host: evil.example'],
    [`user-agent: ${value}`, `${'x'.repeat(random.whole(1, 200))}: y`],
    [`accept: ${value}`],
    ['expect: 100-continue'],
    ['upgrade: websocket', 'connection: upgrade'],
    ['content-encoding: gzip'],
    Array.from({ length: 150 }, (_, index) => `x-${index}: ${index}`),
    [`x-long: ${'y'.repeat(20_000)}`],
  ]);
}

/** As Latin-1, without the line ends that would start a header of its own. */
function headerText(text: string): string {
  return Buffer.from(text.replace(/[\r\n]/g, ' ').slice(0, 2_000)).toString('latin1');
}

type Damage = (draft: Draft, random: SeededRandom) => FuzzRequest;

const head = ({ method, path, headers }: Draft, more: string[]) =>
  `${method} ${path} HTTP/1.1\r\n${[...headers, ...more].join('\r\n')}\r\n\r\n`;

const finished = (draft: Draft, text: string | Buffer): FuzzRequest => ({
  what: draft.what,
  bytes: typeof text === 'string' ? Buffer.from(text, 'latin1') : text,
  mayStayOpen: true,
});

const host = 'host: 127.0.0.1';

const whole: Damage = (draft) => ({
  what: draft.what,
  bytes: Buffer.concat([
    Buffer.from(head(draft, [host, 'connection: close', `content-length: ${draft.body.length}`]), 'latin1'),
    draft.body,
  ]),
  mayStayOpen: draft.mayStayOpen ?? false,
});

const damages: Damage[] = [
  // The body never comes, or ends too early.
  (draft) => finished(draft, head(draft, [host, `content-length: ${draft.body.length + 10}`])),
  (draft, random) => {
    const { bytes } = whole(draft, random);
    return finished(draft, bytes.subarray(0, random.whole(0, bytes.length)));
  },
  // Two lengths, and a length beside chunks.
  (draft) => finished(draft, head(draft, [host, 'content-length: 2', 'content-length: 5']) + '{}{}{'),
  (draft) =>
    finished(draft, head(draft, [host, 'content-length: 4', 'transfer-encoding: chunked']) + '2\r\n{}\r\n0\r\n\r\n'),
  (draft) => finished(draft, head(draft, [host, 'transfer-encoding: chunked']) + 'zz\r\n{}\r\n'),
  (draft) => finished(draft, head(draft, [host, 'content-length: -1'])),
  // No host, and header lines that are none.
  (draft) => finished(draft, head(draft, [])),
  (draft) => finished(draft, head(draft, [host, 'no colon here'])),
  (draft) => finished(draft, head(draft, [host, 'authorization: Bearer a\r\n b'])),
  (draft) => finished(draft, head(draft, [host, 'x: a\nauthorization: Bearer b'])),
  (draft) => finished(draft, head(draft, [host, 'x: a\0b'])),
  // Two requests in one go.
  (draft, random) => {
    const { bytes } = whole(draft, random);
    return finished(draft, Buffer.concat([bytes, bytes]));
  },
  (draft, random) => finished(draft, Buffer.from(Array.from({ length: 200 }, () => random.whole(0, 255)))),
];
