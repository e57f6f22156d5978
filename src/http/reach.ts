// How a request reached the hub: from which client, and under which URL. Only trusted proxies are believed.
import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';

export interface Reach {
  /** The address or name that the hub was told to listen on. */
  host: string;
  /** The hub itself serves TLS. */
  isSecure: boolean;
  /** The origin that the operator named. */
  publicUrl: string | null;
  isTrustedProxy: (address: string) => boolean;
}

/** Of the client. Behind trusted proxies: the last address in X-Forwarded-For that is not one of theirs. */
export function clientAddressOf({ socket, headers }: IncomingMessage, { isTrustedProxy }: Reach): string {
  let address = plainAddress(socket.remoteAddress);
  if (!isTrustedProxy(address)) return address;
  const hops = String(headers['x-forwarded-for'] ?? '').split(',');
  for (const hop of hops.toReversed()) {
    const named = addressIn(hop);
    if (named === undefined) return address;
    address = named;
    if (!isTrustedProxy(address)) return address;
  }
  return address;
}

/** IPv4 as such, also on a socket that serves both versions. */
export function plainAddress(address = ''): string {
  const [plain = ''] = address.split('%', 1);
  return plain.startsWith('::ffff:') && isIP(plain.slice(7)) === 4 ? plain.slice(7) : plain;
}

/** Some proxies add the port. */
function addressIn(hop: string): string | undefined {
  const text = hop.trim();
  const [, bracketed, v4] = /^\[([^\]]*)\](?::\d{1,5})?$|^([\d.]{7,15}):\d{1,5}$/.exec(text) ?? [];
  const address = plainAddress(bracketed ?? v4 ?? text);
  return isIP(address) === 0 ? undefined : address;
}

/** The request passed a proxy, or says so. */
export function isForwarded({ headers }: IncomingMessage): boolean {
  for (const name in headers) {
    if (name === 'via' || name === 'forwarded' || name === 'x-real-ip' || name.startsWith('x-forwarded-')) return true;
  }
  return false;
}

/** The hub's URL for this client: the public one, else the one it used. */
export function hubUrlOf(request: IncomingMessage, reach: Reach): string {
  return reach.publicUrl ?? `${schemeOf(reach)}//${request.headers.host ?? ''}`;
}

export function schemeOf({ isSecure }: Reach): string {
  return isSecure ? 'https:' : 'http:';
}
