// Refuses requests that a web page, a rebound DNS name or a proxy brings to a hub which was not meant for them.
import { HubError } from '../contract/errors.js';
import { limits } from '../contract/limits.js';
import { isPagePath } from './app/assets.js';
import type { Exchange } from './exchange.js';
import { refuseKeyInUrl } from './key-in-url.js';
import { plainAddress, schemeOf, type Reach } from './reach.js';

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

export interface GuardPorts {
  reach: Reach;
  /** False in open mode. */
  hasKeys: () => boolean;
}

/** What every request must pass, with a key and without. */
export function guard(exchange: Exchange, ports: GuardPorts): void {
  requireFewHeaders(exchange);
  if (!ports.hasKeys()) refuseForwarded(exchange);
  requireOwnHost(exchange, ports);
  refuseKeyInUrl(exchange);
}

/** Node drops headers beyond its maximum: what it drops must not be what a check looks for. */
function requireFewHeaders({ request: { rawHeaders } }: Exchange): void {
  if (rawHeaders.length / 2 <= limits.headers) return;
  throw new HubError('HEADERS_TOO_LARGE', `The request has more than ${limits.headers} headers.`, {
    hint: 'Send fewer headers.',
    details: { limit: limits.headers },
  });
}

const healthPaths = new Set(['/healthz', '/readyz']);

/** In open mode a proxy would make everyone who reaches it a local user. */
function refuseForwarded({ isProxied, url: { pathname } }: Exchange): void {
  if (!isProxied || healthPaths.has(pathname)) return;
  throw new HubError('FORWARDED_REFUSED', 'The request came through a proxy, and this hub has no keys.', {
    hint: 'Make the first key on the hub’s machine: coterie keys create --agent NAME --admin. Then send it as the header Authorization: Bearer KEY.',
  });
}

function requireOwnHost(exchange: Exchange, { reach, hasKeys }: GuardPorts): void {
  const hosts = exchange.headers('host');
  const { hostname } = parsed(`http://${hosts[0] ?? ''}`);
  if (hosts.length === 1 && (isLoopback(hostname) || (hasKeys() && isOwnName(hostname, exchange, reach)))) return;
  throw new HubError('HOST_REFUSED', `The host '${hosts.join(', ').slice(0, 100)}' is not allowed.`, {
    hint: hasKeys()
      ? `Use ${reach.publicUrl ?? 'the address that the hub listens on'}; --public-url gives the hub another name.`
      : `Use ${schemeOf(reach)}//127.0.0.1 or ${schemeOf(reach)}//localhost with the hub’s port.`,
  });
}

/** A hub on all addresses is reached under the one that the connection was accepted on. */
function isOwnName(hostname: string, { request }: Exchange, { host, publicUrl }: Reach): boolean {
  if (hostname === '') return false;
  const name = hostname.replace(/^\[|\]$/g, '');
  if (name === plainAddress(request.socket.localAddress) || name === host.toLowerCase()) return true;
  return publicUrl !== null && hostname === parsed(publicUrl).hostname;
}

/** A browser says which page made a request; no other page than the hub's own may, not even one of this machine. */
export function requireOwnOrigin(exchange: Exchange, reach: Reach): void {
  const { origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = exchange.request.headers;
  if (origin !== undefined && !isOwnOrigin(origin, exchange, reach))
    throw foreign(`The origin '${origin.slice(0, 100)}'`);
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  // A link to the app's page.
  if (isPagePath(exchange.url.pathname) && exchange.request.method === 'GET' && mode === 'navigate') return;
  throw foreign(`A ${site.slice(0, 20)} web page`);
}

/** After requireOwnOrigin: an origin that was sent is the hub's. Browsers send none with a GET, but say where it comes from. */
export function isOwnPage({ request: { headers } }: Exchange): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] === 'same-origin';
}

function isOwnOrigin(given: string, exchange: Exchange, reach: Reach): boolean {
  const { origin } = parsed(given);
  if (origin === '') return false;
  if (origin === reach.publicUrl) return true;
  const host = exchange.header('host') ?? '';
  // Under its public name the hub has the public scheme, wherever TLS ends.
  const isPublic = reach.publicUrl !== null && parsed(`http://${host}`).hostname === parsed(reach.publicUrl).hostname;
  const scheme = isPublic && reach.publicUrl !== null ? new URL(reach.publicUrl).protocol : schemeOf(reach);
  return origin === parsed(`${scheme}//${host}`).origin;
}

function foreign(who: string): HubError {
  return new HubError('ORIGIN_REFUSED', `${who} is not allowed.`, {
    hint: 'Call it from a program, or from a page that this hub serves.',
  });
}

interface Parsed {
  hostname: string;
  origin: string;
}

/** Every request repeats one of a few hosts and origins. */
const known = new Map<string, Parsed>();
const knownMax = 1_000;

function parsed(url: string): Parsed {
  let result = known.get(url);
  if (result === undefined) {
    result = parse(url);
    if (known.size >= knownMax) known.clear();
    known.set(url, result);
  }
  return result;
}

/** Empty for anything but scheme, host and port. */
function parse(url: string): Parsed {
  if (!/^https?:\/\/[^/?#@\\\s]+$/i.test(url) || !URL.canParse(url)) return { hostname: '', origin: '' };
  const { hostname, origin } = new URL(url);
  return { hostname, origin };
}
