// Which URLs the hub may post to. Endpoints come from callers: without this, they could reach what only the hub can reach.
import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { HubError } from '../../contract/errors.js';
import { isPublicAddress } from './addresses.js';

/** Push services of the browsers' vendors. A star stands for one or more labels. */
const vendorHosts = ['fcm.googleapis.com', '*.push.services.mozilla.com', '*.push.apple.com', '*.notify.windows.com'];

const urlCharsMax = 2_048;

export interface Endpoint {
  url: URL;
  /** Refuses private addresses when the connection is made; undefined for a host that the operator named. */
  lookup: LookupFunction | undefined;
}

export interface EndpointGuard {
  /** A subscription's endpoint: at a vendor's service, or at a host of `--push-hosts`. */
  webPush(url: string): Endpoint;
  /** Any https URL on the public internet, or at a host of `--push-hosts`. */
  anyHost(url: string): Endpoint;
}

/** `pushHosts`: host or host:port, separated by commas. They may be private, and may be reached by http. */
export function createEndpointGuard(pushHosts: string): EndpointGuard {
  const named = new Set(hostsIn(pushHosts));
  const check = (given: string, isAllowed: (host: string) => boolean): Endpoint => {
    const url = parse(given);
    const isNamed = named.has(url.hostname) || named.has(`${url.hostname}:${portOf(url)}`);
    if (isNamed) return { url, lookup: undefined };
    if (url.protocol !== 'https:') throw refused('it is not https');
    if (url.port !== '') throw refused('its port is not 443');
    const literal = url.hostname.replaceAll(/^\[|\]$/g, '');
    if (isIP(literal) !== 0 && !isPublicAddress(literal)) throw refused('its address is not public');
    if (!isAllowed(url.hostname)) throw refused('its host is not a known push service');
    return { url, lookup: lookupPublic };
  };
  return {
    webPush: (given) => check(given, (host) => vendorHosts.some((vendor) => matches(host, vendor))),
    anyHost: (given) => check(given, () => true),
  };
}

/** Throws unless the operator named the URL's host for wakes. */
export type WakeGuard = (url: string) => Endpoint;

/**
 * `wakeHosts`: host or host:port, separated by commas. A host name must lead to a public address by https; an address is
 * reached as the operator wrote it.
 */
export function createWakeGuard(wakeHosts: string): WakeGuard {
  const named = new Set(hostsIn(wakeHosts));
  return (given) => {
    const url = parse(given);
    const literal = url.hostname.replaceAll(/^\[|\]$/g, '');
    const isAddress = isIP(literal) !== 0 || literal === 'localhost';
    if (!named.has(url.hostname) && !named.has(`${url.hostname}:${portOf(url)}`)) {
      throw refusedForWakes(
        isAddress && !isPublicAddress(literal) ? 'its address is not public' : 'its host is not allowed',
      );
    }
    if (isAddress) return { url, lookup: undefined };
    if (url.protocol !== 'https:') throw refusedForWakes('it is not https');
    return { url, lookup: lookupPublic };
  };
}

function refusedForWakes(why: string): HubError {
  return new HubError('ENDPOINT_REFUSED', `The hub does not send wakes to this URL: ${why}.`, {
    hint: 'Wake webhooks go only to hosts that the operator named with --wake-hosts.',
    details: { why },
  });
}

function hostsIn(value: string): string[] {
  return value
    .split(',')
    .map((host) => host.trim().toLowerCase())
    .filter((host) => host !== '');
}

function parse(given: string): URL {
  if (given.length > urlCharsMax || !URL.canParse(given)) throw refused('it is not a URL');
  const url = new URL(given);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused('it is not https');
  if (url.username !== '' || url.password !== '') throw refused('it has a user name or a password');
  url.hash = '';
  return url;
}

function portOf(url: URL): string {
  return url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
}

function matches(host: string, vendor: string): boolean {
  return vendor.startsWith('*') ? host.endsWith(vendor.slice(1)) && host.length >= vendor.length : host === vendor;
}

/** The socket connects to the addresses that were checked, and to no others: a second look-up could answer differently. */
const lookupPublic: LookupFunction = (host, options, callback) => {
  resolve(host, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '');
    const [first] = addresses;
    if (first === undefined || addresses.some(({ address }) => !isPublicAddress(address)))
      return callback(refused('its address is not public'), '');
    return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};

/** Refuses a host that leads to a private address now; one that cannot be looked up now may be reached later. */
export async function requirePublicHost({ url, lookup }: Endpoint): Promise<void> {
  if (lookup === undefined || isIP(url.hostname.replaceAll(/^\[|\]$/g, '')) !== 0) return;
  await new Promise<void>((done, fail) => {
    lookup(url.hostname, { all: true }, (error) => (error instanceof HubError ? fail(error) : done()));
  });
}

/** Without the URL: it may contain a secret. */
function refused(why: string): HubError {
  return new HubError('ENDPOINT_REFUSED', `The hub does not send to this URL: ${why}.`, {
    hint: 'Give an https URL on port 443 at a public address. The operator can allow other hosts with --push-hosts.',
    details: { why },
  });
}
