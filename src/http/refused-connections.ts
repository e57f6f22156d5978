// What is refused before there is a request: too many connections, requests that are no HTTP, too large or too slow.
// The answers are written to the socket itself.
import type { Server } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { errorKinds, HubError, type ErrorCode } from '../contract/errors.js';
import { limits } from '../contract/limits.js';
import { isLoopback } from './guard.js';
import { plainAddress, type Reach } from './reach.js';

/** For the client to read the answer. */
const lingerMs = 1_000;
/** Refused connections that may linger at a time. */
const lingeringMax = 100;
const retryAfterSeconds = 10;

const refused = new WeakSet<object>();

/** Its request is not answered again. */
export function isRefused(socket: Socket): boolean {
  return refused.has(socket);
}

export function capConnections(server: Server, { isSecure, isTrustedProxy }: Reach): void {
  const byAddress = new Map<string, number>();
  let open = 0;
  let lingering = 0;
  // Before the listener of node:http.
  server.prependListener('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress);
    const counted = isLoopback(address) || isTrustedProxy(address) ? undefined : networkOf(address);
    const fromThere = counted === undefined ? 0 : (byAddress.get(counted) ?? 0);
    const problem =
      open >= limits.connections
        ? tooMany('The hub has', limits.connections)
        : fromThere >= limits.connectionsPerAddress
          ? tooMany('Your address has', limits.connectionsPerAddress)
          : undefined;
    if (problem !== undefined) {
      refused.add(socket);
      // Before its handshake a TLS client can read no answer.
      if (isSecure || lingering >= lingeringMax) return socket.destroy();
      lingering += 1;
      socket.once('close', () => (lingering -= 1));
      return refuse(socket, problem);
    }
    open += 1;
    if (counted !== undefined) byAddress.set(counted, fromThere + 1);
    socket.once('close', () => {
      open -= 1;
      if (counted === undefined) return;
      const left = (byAddress.get(counted) ?? 1) - 1;
      if (left === 0) byAddress.delete(counted);
      else byAddress.set(counted, left);
    });
  });
}

/** One customer has at least a /64 of IPv6. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [before = '', after] = address.split('::');
  const [head, tail] = [before, after ?? ''].map((part) => (part === '' ? [] : part.split(':')));
  const zeros = after === undefined ? 0 : 8 - (head?.length ?? 0) - (tail?.length ?? 0);
  return [...(head ?? []), ...Array.from({ length: zeros }, () => '0'), ...(tail ?? [])].slice(0, 4).join(':');
}

function tooMany(who: string, limit: number): HubError {
  return new HubError('TOO_MANY_CONNECTIONS', `${who} the maximum of ${limit} open connections.`, {
    hint: 'Close connections, or try again later.',
    details: { limit, retryAfterMs: retryAfterSeconds * 1_000 },
  });
}

/** `isAnswering`: the beginning of an answer is already on its way. */
export function answerClientErrors(server: Server, isAnswering: (socket: Socket) => boolean): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Bytes after a request that was to be the last: its answer is on its way, and closes the connection.
    if (error.code === 'HPE_CLOSED_CONNECTION') return;
    const problem = describe(error.code ?? '');
    // `clientError` says Duplex; a server over TCP or TLS has sockets.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const connection = socket as Socket;
    if (problem === undefined || !connection.writable || isAnswering(connection)) connection.destroy();
    else refuse(connection, problem);
  });
}

/** Undefined if nobody can read an answer: a reset, a failed TLS handshake. */
function describe(code: string): HubError | undefined {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new HubError('HEADERS_TOO_LARGE', `The headers are larger than ${limits.headerBytes} bytes.`, {
      hint: 'Send fewer or shorter headers, or a shorter URL.',
      details: { limit: limits.headerBytes },
    });
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new HubError('REQUEST_TIMEOUT', 'The request did not arrive in time.', {
      hint: 'Send it again, faster or in parts.',
      details: { headersMs: limits.headersMs, requestMs: limits.requestMs },
    });
  }
  if (!code.startsWith('HPE_')) return undefined;
  return new HubError('HTTP_INVALID', 'The request is not valid HTTP/1.1.', { hint: 'Fix it and send it again.' });
}

function refuse(socket: Socket, error: HubError): void {
  const body = JSON.stringify({ error: error.toObject() });
  const { status, retry } = errorKinds[error.code];
  socket.on('error', () => {});
  socket.end(
    [
      `HTTP/1.1 ${status} ${reasonOf[error.code] ?? 'Refused'}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      ...(retry === 'later' ? [`retry-after: ${retryAfterSeconds}`] : []),
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

const reasonOf: Partial<Record<ErrorCode, string>> = {
  HTTP_INVALID: 'Bad Request',
  REQUEST_TIMEOUT: 'Request Timeout',
  HEADERS_TOO_LARGE: 'Request Header Fields Too Large',
  TOO_MANY_CONNECTIONS: 'Service Unavailable',
};
