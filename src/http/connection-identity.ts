// What a request says about who sent it, before anything is believed.
import type { Connection } from '../ports/caller.js';
import type { Exchange } from './exchange.js';

export function connectionOf(exchange: Exchange): Connection {
  const query = exchange.url.searchParams;
  const agent = exchange.header('coterie-agent') ?? query.get('agent') ?? undefined;
  const session = exchange.header('coterie-session') ?? query.get('session') ?? undefined;
  const key = /^Bearer (.+)$/i.exec(exchange.header('authorization') ?? '')?.[1];
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(session === undefined ? {} : { session }),
    ...(key === undefined ? {} : { key }),
    origin: exchange.header('mcp-session-id') ?? exchange.header('coterie-client') ?? programOf(exchange),
  };
}

/** One program may use many sockets, so a socket does not tell programs apart; its name and address nearly do. */
function programOf(exchange: Exchange): string {
  return `${exchange.header('user-agent') ?? ''} ${exchange.request.socket.remoteAddress ?? ''}`;
}
