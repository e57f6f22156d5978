// How a client connects under another name, said in the way in which it connected: a flag, a header or an address.
import { bridgeIdPrefix, clientIdHeader, commandClientId } from '../contract/client-headers.js';
import type { Exchange } from './exchange.js';

export function connectAs(exchange: Exchange, agentId: string): string {
  const clientId = exchange.header(clientIdHeader);
  if (clientId === commandClientId) return `--as ${agentId}`;
  if (clientId?.startsWith(bridgeIdPrefix) === true) return `coterie mcp --agent ${agentId}`;
  const isByAddress = exchange.query('agent') !== null || exchange.url.pathname === '/mcp';
  const isByHeader = exchange.header('coterie-agent') !== undefined || !isByAddress;
  if (isByHeader) return `the header coterie-agent: ${agentId}`;
  const session = exchange.query('session');
  const query = new URLSearchParams({ agent: agentId, ...(session === null ? {} : { session }) });
  return `${exchange.hubUrl}${exchange.url.pathname}?${query.toString()}`;
}
