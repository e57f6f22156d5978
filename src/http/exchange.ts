// One request and its response: whether the client is still connected, and the only way to respond.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorKinds, type HubError } from '../contract/errors.js';
import type { Client } from '../dispatch/call.js';
import type { AnswerHolds, WrittenAnswer } from '../ports/answer-room.js';
import type { Grant } from '../ports/caller.js';
import type { Hold, Holder, Holding } from '../ports/caps.js';
import type { ReplyOutcome } from '../ports/reply-outcome.js';
import { ConnectionEvidence } from './connection-evidence.js';
import { jsonInPieces, largeAnswerBytes } from './json-in-pieces.js';
import { clientAddressOf, hubUrlOf, isForwarded, type Reach } from './reach.js';

type ResponseHeaders = Record<string, string> & { 'content-type': string };

const jsonHeaders: ResponseHeaders = { 'content-type': 'application/json' };

/** For a refused client to read what was already written. */
const lingerMs = 500;

export interface ExchangePorts {
  reach: Reach;
  /** Counts the bytes of requests that are being served. */
  holdBody: Hold;
  /** Counts the bytes of their answers. */
  answers: AnswerHolds;
}

export class Exchange implements Client, Holder {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  /** The client's, also behind a trusted proxy. */
  readonly address: string;
  readonly #reach: Reach;
  /** What the request's key allows; null in open mode. Set before the request is routed. */
  grant: Grant | null = null;
  readonly #evidence: ConnectionEvidence;
  readonly #onGone = new Set<() => void>();
  readonly #holdBody: Hold;
  #body: Holding | undefined;
  readonly #answers: AnswerHolds;
  #answer: WrittenAnswer | undefined;
  #isGone = false;
  #hasEnded = false;

  constructor(request: IncomingMessage, response: ServerResponse, { reach, holdBody, answers }: ExchangePorts) {
    this.#answers = answers;
    this.#reach = reach;
    this.address = clientAddressOf(request, reach);
    this.request = request;
    this.response = response;
    this.#holdBody = holdBody;
    this.url = urlOf(request);
    this.#evidence = ConnectionEvidence.of(request.socket);
    response.once('close', () => {
      this.#hasEnded = true;
      if (!response.writableFinished) this.#markGone();
    });
  }

  /** The hub's URL, for this client. */
  get hubUrl(): string {
    return hubUrlOf(this.request, this.#reach);
  }

  /** Behind a proxy, clients may share connections. */
  get isProxied(): boolean {
    return isForwarded(this.request);
  }

  get isGone(): boolean {
    return this.#isGone || this.request.socket.destroyed;
  }

  onGone(callback: () => void): () => void {
    this.#onGone.add(callback);
    return () => this.#onGone.delete(callback);
  }

  /** Calls back once, when the response has ended in any way; at once if it already has. */
  onEnd(callback: () => void): void {
    if (this.#hasEnded) callback();
    else this.response.once('close', callback);
  }

  /** Counts these bytes of the body as the caller's until the request is served, or refuses them. */
  holdBody(bytes: number): void {
    (this.#body ??= this.#holdBody(this)).add(bytes);
  }

  /** The memory of its answer, until the client has taken it. */
  get answer(): WrittenAnswer {
    if (this.#answer !== undefined) return this.#answer;
    const { response, request } = this;
    const answer = this.#answers.hold({ connection: request.socket, cut: () => response.destroy() });
    this.#answer = answer;
    this.onEnd(() => answer.end());
    return answer;
  }

  releaseBody(): void {
    this.#body?.release();
  }

  /** The client cancelled this call. Its connection stays open, so the response must still end, without a body. */
  cancel(): void {
    this.#markGone();
    if (this.response.headersSent) this.response.end();
    else this.response.writeHead(202, { 'content-length': 0 }).end();
  }

  #markGone(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    for (const callback of Array.from(this.#onGone)) callback();
  }

  /** The last byte of the response is on its way. */
  onWritten(callback: () => void): void {
    this.response.once('finish', callback);
  }

  /** The hub no longer serves this request: its key was revoked. What waits for its client ends. */
  refuse(error: HubError): void {
    if (this.response.headersSent) this.response.end();
    else this.error(error);
    this.#markGone();
    // A client that does not read would keep its connection, and what is buffered for it.
    setTimeout(() => this.response.socket?.destroy(), lingerMs).unref();
  }

  /** A part of the body, unless it has ended meanwhile: the key was revoked, or the hub stops. */
  write(part: string | Uint8Array): void {
    if (!this.response.writableEnded) this.response.write(part);
  }

  /** Every value of the header: node joins or drops those that are sent again. */
  headers(name: string): string[] {
    const { rawHeaders } = this.request;
    const values: string[] = [];
    for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
      const given = rawHeaders[index] ?? '';
      if (given.length === name.length && given.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '');
    }
    return values;
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  query(name: string): string | null {
    return this.url.search === '' ? null : this.url.searchParams.get(name);
  }

  /** This request shows that earlier responses on its connection have arrived. */
  confirmEarlierResponses(): void {
    this.#evidence.confirmWritten();
  }

  /** Reports the outcome of this response. Called before its first byte is written. */
  trackOutcome(outcome: ReplyOutcome | null): void {
    if (outcome === null) return;
    if (this.isGone) outcome.unsent();
    else this.#evidence.watch(this.response, outcome);
  }

  json(status: number, body: unknown): void {
    this.text(status, JSON.stringify(body), jsonHeaders);
  }

  /** `dataBytes` of the body are attachment data; a large body is serialized in slices, yielding in between. */
  async jsonWithData(status: number, body: unknown, dataBytes: number): Promise<void> {
    if (dataBytes < largeAnswerBytes) return this.json(status, body);
    const pieces = await jsonInPieces(body);
    if (this.isGone || this.response.headersSent) return;
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    this.#answer?.written(length);
    this.response.writeHead(status, { 'content-type': 'application/json', 'content-length': length });
    for (const piece of pieces) this.response.write(piece);
    this.response.end();
  }

  text(status: number, body: string, headers: ResponseHeaders): void {
    if (this.isGone || this.response.headersSent) return;
    // A string is sent in one write with the headers; a buffer would take two.
    const length = Buffer.byteLength(body);
    this.#answer?.written(length);
    this.response.writeHead(status, { ...headers, 'content-length': length });
    this.response.end(body);
  }

  /** Without a body for HEAD, and with a status that has none. */
  bytes(status: number, body: Buffer | null, headers: Record<string, string>): void {
    if (this.isGone || this.response.headersSent) return;
    this.response.writeHead(status, body === null ? headers : { ...headers, 'content-length': body.length });
    this.response.end(this.request.method === 'HEAD' ? null : body);
  }

  error(error: HubError): void {
    this.text(errorKinds[error.code].status, JSON.stringify({ error: error.toObject() }), headersOf(error));
  }
}

function headersOf(error: HubError): ResponseHeaders {
  const { allow, retryAfterMs } = error.details;
  return {
    ...jsonHeaders,
    ...(typeof retryAfterMs === 'number' ? { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) } : {}),
    ...(typeof allow === 'string' ? { allow } : {}),
    ...(isAboutKey(error) ? { 'www-authenticate': challengeOf(error) } : {}),
  };
}

function isAboutKey({ code }: HubError): boolean {
  return code === 'KEY_REQUIRED' || code === 'KEY_INVALID';
}

/** The words of the body again: some clients show their user only this header. It names no place to log in. */
function challengeOf({ message, hint }: HubError): string {
  return `Bearer error="invalid_token", error_description="${`${message} ${hint}`.replaceAll(/[^ !#-[\]-~]/g, '')}"`;
}

/** Clients repeat a few URLs; parsing them is a large part of a small request's cost. */
const parsedUrls = new Map<string, URL>();
const parsedUrlsMax = 1_000;

function urlOf(request: IncomingMessage): URL {
  const target = request.url ?? '/';
  const known = parsedUrls.get(target);
  if (known !== undefined) return known;
  const base = 'http://hub';
  // A target that is not a path is invalid: '//elsewhere' must not be parsed as a host.
  const url =
    target.startsWith('/') && URL.canParse(base + target) ? new URL(base + target) : new URL('/invalid', base);
  if (parsedUrls.size >= parsedUrlsMax) parsedUrls.clear();
  parsedUrls.set(target, url);
  return url;
}
