// A push service as RFC 8030 says, and the browser behind it: it checks the hub's VAPID token and decrypts what a browser
// would get. Its endpoints are on loopback, so a hub reaches it with --push-hosts.
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUpAfter } from './clean-up.js';
import { freePort } from './free-port.js';

export interface ReceivedPush {
  /** The subscription's id. */
  to: string;
  ttl: number;
  urgency: string;
  topic: string | undefined;
  claims: { aud: string; exp: number; sub: string };
  /** What was on the wire. */
  wire: Buffer;
  /** What the browser hands to the service worker. */
  text: string;
  // Tests read the fields they promise; a wrong one fails the assertion.
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any;
}

/** As `PushSubscription.toJSON()` gives it. */
export interface Subscription {
  id: string;
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

export interface Refusal {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

export interface PushService {
  url: string;
  /** For --push-hosts. */
  host: string;
  /** Accepted pushes, in order. */
  received: readonly ReceivedPush[];
  /** How often something was posted, refusals included. */
  attempts(): number;
  /** `applicationServerKey`: the hub's VAPID key; pushes signed with another are refused. */
  subscribe(applicationServerKey: string): Subscription;
  /** The browser gave the subscription up: 410 from now on. */
  unsubscribe(id: string): void;
  /** What the next posts are answered with, one after the other; `times` repeats it. */
  refuse(refusal: Refusal, times?: number): void;
  /** The next posts get no answer. */
  ignore(times: number): void;
  /** Refuses connections until `start`, on the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

interface Browser {
  privateKey: Buffer;
  publicKey: Buffer;
  auth: Buffer;
  applicationServerKey: string;
  isGone: boolean;
}

const bodyBytesMax = 4_096;
const dayMs = 24 * 60 * 60_000;

class Refused extends Error {
  readonly status: number;

  constructor(status: number, why: string) {
    super(why);
    this.status = status;
  }
}

/** Stopped after the test, or after the file when no test runs. */
export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, Browser>();
  const received: ReceivedPush[] = [];
  const refusals: Refusal[] = [];
  let attempts = 0;
  let ignored = 0;
  let url = '';
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    attempts += 1;
    if (ignored > 0) {
      ignored -= 1;
      return undefined;
    }
    const refusal = refusals.shift();
    if (refusal !== undefined) return response.writeHead(refusal.status, refusal.headers).end(refusal.body);
    try {
      const push = accept({ browsers, origin: url }, request, Buffer.concat(parts));
      // RFC 8030, 5.4: a message with the same topic replaces one that was not delivered. Here all are delivered at once.
      received.push(push);
      return response.writeHead(201, { location: `${url}/message/${received.length}`, ttl: String(push.ttl) }).end();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return response.writeHead(error.status).end(error.message);
    }
  };
  let server = createServer((request, response) => void serve(request, response));
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const stop = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  const port = await listen(await freePort());
  const host = `127.0.0.1:${port}`;
  url = `http://${host}`;
  cleanUpAfter(stop);
  return {
    url,
    host,
    received,
    attempts: () => attempts,
    subscribe(applicationServerKey) {
      const ecdh = createECDH('prime256v1');
      ecdh.generateKeys();
      const id = randomBytes(16).toString('base64url');
      const browser = { privateKey: ecdh.getPrivateKey(), publicKey: ecdh.getPublicKey(), auth: randomBytes(16) };
      browsers.set(id, { ...browser, applicationServerKey, isGone: false });
      const keys = { p256dh: browser.publicKey.toString('base64url'), auth: browser.auth.toString('base64url') };
      return { id, endpoint: `${url}/push/${id}`, keys };
    },
    unsubscribe(id) {
      const browser = browsers.get(id);
      if (browser !== undefined) browser.isGone = true;
    },
    refuse(refusal, times = 1) {
      refusals.push(...Array.from({ length: times }, () => refusal));
    },
    ignore(times) {
      ignored = times;
    },
    stop,
    async start() {
      server = createServer((request, response) => void serve(request, response));
      await listen(port);
    },
  };
}

function accept(
  { browsers, origin }: { browsers: ReadonlyMap<string, Browser>; origin: string },
  request: IncomingMessage,
  wire: Buffer,
): ReceivedPush {
  if (request.method !== 'POST') throw new Refused(405, 'POST');
  const to = /^\/push\/([\w-]+)$/.exec(request.url ?? '')?.[1] ?? '';
  const browser = browsers.get(to);
  if (browser === undefined) throw new Refused(404, 'no such subscription');
  if (browser.isGone) throw new Refused(410, 'unsubscribed');
  const { headers } = request;
  const { ttl, urgency, topic } = deliveryHeaders(headers);
  if (wire.length > bodyBytesMax) throw new Refused(413, 'body too large');
  if (headers['content-encoding'] !== 'aes128gcm') throw new Refused(415, 'Content-Encoding');
  const claims = requireVapid(headers.authorization ?? '', origin, browser.applicationServerKey);
  const text = decryptPush(browser, wire).toString();
  return { to, ttl, urgency, topic, claims, wire, text, json: JSON.parse(text) as unknown };
}

function deliveryHeaders(headers: IncomingHttpHeaders): { ttl: number; urgency: string; topic: string | undefined } {
  const one = (name: string) => headers[name]?.toString();
  const ttl = one('ttl') ?? '';
  if (!/^\d{1,10}$/.test(ttl)) throw new Refused(400, 'TTL');
  const urgency = one('urgency') ?? 'normal';
  if (!['very-low', 'low', 'normal', 'high'].includes(urgency)) throw new Refused(400, 'Urgency');
  const topic = one('topic');
  if (topic !== undefined && !/^[\w-]{1,32}$/.test(topic)) throw new Refused(400, 'Topic');
  return { ttl: Number(ttl), urgency, topic };
}

/** RFC 8292, as the strictest of the vendors checks it. */
export function requireVapid(authorization: string, origin: string, applicationServerKey: string) {
  const [, token = '', key = ''] = /^vapid t=([^,\s]+), ?k=([^,\s]+)$/.exec(authorization) ?? [];
  const [header = '', claims = '', signature = ''] = token.split('.');
  if (signature === '') throw new Refused(401, 'no VAPID token');
  if (key !== applicationServerKey) throw new Refused(403, 'not the key of the subscription');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' });
  const signed = Buffer.from(`${header}.${claims}`);
  const isSigned = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Refused(403, 'signature');
  const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
  if (parse(header)['alg'] !== 'ES256') throw new Refused(403, 'alg');
  const { aud, exp, sub } = parse(claims) as { aud: string; exp: number; sub: string };
  if (aud !== origin) throw new Refused(403, 'aud');
  // With tests that move the hub's clock ahead the token is from the future; a real service would refuse that.
  if (!(exp * 1_000 > Date.now())) throw new Refused(403, 'exp');
  if (!/^(mailto:|https:)/.test(sub)) throw new Refused(403, 'sub');
  return { aud, exp, sub };
}

/** A token may be valid for a day at most. */
export function isShortLived({ exp }: { exp: number }, now: number): boolean {
  return exp * 1_000 <= now + dayMs;
}

/** What a browser does with the body of a push: RFC 8291 and RFC 8188. */
export function decryptPush(
  { privateKey, publicKey, auth }: Omit<Browser, 'applicationServerKey' | 'isGone'>,
  wire: Buffer,
): Buffer {
  const [salt, idLength] = [wire.subarray(0, 16), wire[20] ?? 0];
  const sender = wire.subarray(21, 21 + idLength);
  const sealed = wire.subarray(21 + idLength);
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(privateKey);
  const hkdf = (key: Buffer, from: Buffer, info: Buffer | string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', key, from, info, bytes));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender]);
  const secret = hkdf(ecdh.computeSecret(sender), auth, info, 32);
  const key = hkdf(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const decipher = createDecipheriv('aes-128-gcm', key, hkdf(secret, salt, 'Content-Encoding: nonce\0', 12));
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Refused(400, 'padding');
  return padded.subarray(0, end);
}
