// Where clients look for an OAuth server. This hub has none, and says what to do instead: clients show that text.
import type { Exchange } from './exchange.js';

const endpoints = new Set(['/register', '/authorize', '/token']);

export function isOAuthPath(path: string): boolean {
  return path.includes('/.well-known/') || endpoints.has(path);
}

export function serveNoOAuth(exchange: Exchange, hasKeys: boolean): void {
  exchange.json(404, { error: 'not_found', error_description: hasKeys ? keyText : openText });
  // An unread body would be parsed as the next request.
  exchange.request.resume();
}

const openText =
  'This Coterie hub needs no login and no key. Remove the authorization settings of this server from your client, and connect again.';
const keyText =
  'This Coterie hub has no login page and registers no clients. It needs a key, which its administrator makes with: coterie keys create --agent NAME. ' +
  'Set the header Authorization: Bearer KEY for this server in your client.';
