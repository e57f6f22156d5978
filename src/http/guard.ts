// Refuses foreign hosts and origins (DNS rebinding, cross-site requests), because the hub trusts loopback clients.
import type { IncomingMessage } from 'node:http';
import { HubError } from '../contract/errors.js';

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

export function requireTrustedOrigin(request: IncomingMessage): void {
  const { host, origin } = request.headers;
  if (!isLoopback(hostnameOf(`http://${host ?? ''}`))) {
    throw new HubError('HOST_REFUSED', `The host '${(host ?? '').slice(0, 100)}' is not allowed.`, {
      hint: 'Use http://127.0.0.1 or http://localhost with the hub’s port.',
    });
  }
  if (origin !== undefined && !isLoopback(hostnameOf(origin))) {
    throw new HubError('ORIGIN_REFUSED', `The origin '${origin.slice(0, 100)}' is not allowed.`, {
      hint: 'Call it from a program, or from a page served on this machine.',
    });
  }
}

/** Every request repeats one of a few hosts and origins. */
const hostnames = new Map<string, string>();
const hostnamesMax = 1_000;

function hostnameOf(url: string): string {
  const known = hostnames.get(url);
  if (known !== undefined) return known;
  const hostname = parseHostname(url);
  if (hostnames.size >= hostnamesMax) hostnames.clear();
  hostnames.set(url, hostname);
  return hostname;
}

/** Empty for an invalid URL and for one with credentials. */
function parseHostname(url: string): string {
  if (!URL.canParse(url)) return '';
  const { hostname, username, password } = new URL(url);
  return username === '' && password === '' ? hostname : '';
}
