// The routes of the hub's page: what the hub is, pairing, signing in and out, by a device, a key or an observer's link. They need no key, but the page's own origin.
import type { z } from 'zod';
import {
  challengeRequest,
  keySignInRequest,
  linkSignInRequest,
  lookUpPairing,
  pairByCode,
  pairByLink,
  pairOnPage,
  signInRequest,
  type LinkSignInRequest,
  type PairByCode,
  type PairByLink,
  type ShownDevice,
  type SignInRequest,
} from '../../contract/signal/app.js';
import { connectHints, type ConnectHint } from '../../contract/connect/connect-hints.js';
import { HubError } from '../../contract/errors.js';
import { defaultSessionId } from '../../contract/ids.js';
import type { Grant } from '../../ports/caller.js';
import type { HubIdentity } from '../../ports/hub-secret.js';
import type { SignedIn, Store } from '../../ports/store.js';
import type { Exchange } from '../exchange.js';
import { isLoopback, isOwnPage } from '../guard.js';
import { plainAddress } from '../reach.js';
import { readJson } from '../read-body.js';
import { signInCookie } from './sign-in-cookie.js';

export interface AppPorts {
  store: Pick<Store, 'findAgent'>;
  version: string;
  hasKeys: () => boolean;
  /** Names this hub, and all of its database, in cookies. */
  hubId: string;
  identity: HubIdentity;
  /** Of the person at this machine. */
  localPerson: string;
  /** The grant of the cookie; null without one that works. */
  signedIn: (exchange: Exchange) => Grant | null | Promise<Grant | null>;
  /** Whom the pairing is for; refused as a wrong one is. */
  lookUpPairing: (pairingId: string) => Promise<{ sessionId: string; person: string }>;
  pair: (input: PairByLink | PairByCode, address: string) => Promise<SignedIn>;
  pairLocally: (input: ShownDevice, who: { sessionId: string; person: string; address: string }) => Promise<SignedIn>;
  makeChallenge: (deviceId: string) => Promise<{ challenge: string; hubKid: string }>;
  signIn: (request: SignInRequest) => Promise<SignedIn>;
  /** A failed attempt counts as a wrong key does. */
  signInByKey: (key: string, address: string) => Promise<BrowserSignIn>;
  signInByLink: (link: LinkSignInRequest, address: string) => Promise<BrowserSignIn>;
  signOut: (signInId: string) => Promise<void>;
  /** Throws RATE_LIMITED for an address that guesses, and counts what it guessed wrong. */
  withFewFailures: <Result>(address: string, work: () => Promise<Result>) => Promise<Result>;
}

/** The key for a browser's cookie, and how long it lasts. */
interface BrowserSignIn {
  key: string;
  seconds: number;
}

type Route = (ports: AppPorts, exchange: Exchange) => Promise<void>;

const posted: Record<string, Route> = {
  '/app/pair': pair,
  '/app/pair/local': pairLocally,
  '/app/pair/look': lookUp,
  '/app/sign-in/challenge': challenge,
  '/app/sign-in': signIn,
  '/app/sign-in/key': signInByKey,
  '/app/sign-in/link': signInByLink,
  '/app/sign-out': signOut,
};

export const appPaths: readonly string[] = ['/app/hub', ...Object.keys(posted)];

/** False if another part of the hub serves this. */
export async function serveApp(ports: AppPorts, exchange: Exchange): Promise<boolean> {
  const { pathname } = exchange.url;
  const { method } = exchange.request;
  if (pathname === '/app/hub' && (method === 'GET' || method === 'HEAD')) {
    await describeHub(ports, exchange);
    return true;
  }
  const route = method === 'POST' && Object.hasOwn(posted, pathname) ? posted[pathname] : undefined;
  if (route === undefined) return false;
  if (!isOwnPage(exchange)) throw pageNeeded();
  await route(ports, exchange);
  return true;
}

async function describeHub(ports: AppPorts, exchange: Exchange): Promise<void> {
  const { hubId, version, identity, localPerson } = ports;
  const url = exchange.hubUrl;
  const isOpen = !ports.hasKeys();
  const isHere = isOnThisMachine(exchange);
  answer(exchange, {
    hubId,
    name: new URL(url).host,
    version,
    url,
    mode: isOpen ? 'open' : 'keys',
    isLoopback: isHere,
    isSecure: url.startsWith('https:'),
    ...(isOpen && isHere ? { localPerson } : {}),
    ...(await viewSignedIn(ports, exchange)),
    hub: identity,
    connect: connectLines(url, !isOpen),
  });
}

async function viewSignedIn(ports: AppPorts, exchange: Exchange): Promise<object> {
  const grant = await ports.signedIn(exchange);
  if (grant === null) return {};
  const { sessionId, agentId: person } = grant;
  const agent = person === null ? null : await ports.store.findAgent({ sessionId, id: person });
  const named = person === null ? {} : { person, personName: agent?.name ?? person, isPerson: grant.isPerson };
  return { signedIn: { session: sessionId, ...named, capabilities: [...grant.capabilities], ...viewMeans(grant) } };
}

/** By which device or key one is signed in. */
function viewMeans({ device, keyId, expiresAt }: Grant): object {
  if (device !== null) return { deviceId: device.id, deviceName: device.name, verified: device.isVerified };
  return { keyId, expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString() };
}

/** Whoever reads them may be on another machine, which this machine's paths are of no use to. */
function connectLines(url: string, hasKeys: boolean): ConnectHint[] {
  return connectHints(url, { command: ['coterie'], hubFlags: ['--url', url], hasKeys });
}

function isOnThisMachine({ request, isProxied }: Exchange): boolean {
  return !isProxied && isLoopback(plainAddress(request.socket.remoteAddress));
}

async function pair(ports: AppPorts, exchange: Exchange): Promise<void> {
  requireCookies(exchange);
  const body = await readJson(exchange);
  const isByCode = typeof body === 'object' && body !== null && 'code' in body;
  const input = isByCode ? parse(pairByCode, body) : parse(pairByLink, body);
  const signedIn = await ports.withFewFailures(exchange.address, () => ports.pair(input, exchange.address));
  welcome(ports, exchange, signedIn);
}

async function lookUp(ports: AppPorts, exchange: Exchange): Promise<void> {
  const { pairingId } = parse(lookUpPairing, await readJson(exchange));
  const { sessionId, person } = await ports.withFewFailures(exchange.address, () => ports.lookUpPairing(pairingId));
  const agent = await ports.store.findAgent({ sessionId, id: person });
  answer(exchange, { person, personName: agent?.name ?? person });
}

async function pairLocally(ports: AppPorts, exchange: Exchange): Promise<void> {
  if (ports.hasKeys() || !isOnThisMachine(exchange)) throw pairingNeeded();
  const input = parse(pairOnPage, await readJson(exchange));
  const who = { sessionId: defaultSessionId, person: ports.localPerson, address: exchange.address };
  welcome(ports, exchange, await ports.pairLocally(input, who));
}

async function challenge(ports: AppPorts, exchange: Exchange): Promise<void> {
  const { deviceId } = parse(challengeRequest, await readJson(exchange));
  answer(exchange, await ports.makeChallenge(deviceId));
}

async function signIn(ports: AppPorts, exchange: Exchange): Promise<void> {
  requireCookies(exchange);
  const request = parse(signInRequest, await readJson(exchange));
  welcome(ports, exchange, await ports.withFewFailures(exchange.address, () => ports.signIn(request)));
}

async function signInByKey(ports: AppPorts, exchange: Exchange): Promise<void> {
  requireCookies(exchange);
  const { key } = parse(keySignInRequest, await readJson(exchange));
  answerSignedIn(ports, exchange, await ports.signInByKey(key, exchange.address));
}

async function signInByLink(ports: AppPorts, exchange: Exchange): Promise<void> {
  requireCookies(exchange);
  const link = parse(linkSignInRequest, await readJson(exchange));
  const work = () => ports.signInByLink(link, exchange.address);
  answerSignedIn(ports, exchange, await ports.withFewFailures(exchange.address, work));
}

/** Who it is, GET /app/hub says. */
function answerSignedIn({ hubId }: AppPorts, exchange: Exchange, { key, seconds }: BrowserSignIn): void {
  answer(exchange, { success: true }, signInCookie(hubId, key, seconds));
}

async function signOut(ports: AppPorts, exchange: Exchange): Promise<void> {
  const grant = await ports.signedIn(exchange);
  if (grant?.signInId !== undefined && grant.signInId !== null) await ports.signOut(grant.signInId);
  answer(exchange, { success: true }, signInCookie(ports.hubId, '', 0));
}

function welcome({ hubId }: AppPorts, exchange: Exchange, { device, key, seconds }: SignedIn): void {
  const { id: deviceId, personId: person, sessionId: session, verifiedAt } = device;
  answer(exchange, { deviceId, person, session, verified: verifiedAt !== null }, signInCookie(hubId, key, seconds));
}

function answer(exchange: Exchange, body: object, cookie?: string): void {
  exchange.text(200, JSON.stringify(body), {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
  });
}

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join('.') ?? '';
  throw new HubError('INVALID_INPUT', `${field === '' ? 'The body' : `${field}:`} ${issue?.message ?? 'is invalid'}.`, {
    hint: 'See docs/devices.md for the fields.',
    details: { field },
  });
}

/** A browser keeps the cookie only over https, and on the machine itself. */
function requireCookies(exchange: Exchange): void {
  const origin = exchange.header('origin') ?? exchange.hubUrl;
  const { protocol, hostname } = new URL(origin);
  if (protocol === 'https:' || isLoopback(hostname)) return;
  throw new HubError('FORBIDDEN', 'A browser signs in only over https, or on the hub’s own machine.', {
    hint: 'Open the hub by https: docs/phone.md shows ways to get there.',
  });
}

function pageNeeded(): HubError {
  return new HubError('ORIGIN_REFUSED', 'This is for the hub’s own page.', {
    hint: 'Open the hub in a browser. A program uses a key and the operations under /v1.',
  });
}

function pairingNeeded(): HubError {
  return new HubError('FORBIDDEN', 'A device is paired by a link or a code here.', {
    hint: 'On the hub’s machine: coterie pair',
  });
}
