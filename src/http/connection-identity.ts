// The identity a request claims, before it is checked.
import { HubError } from '../contract/errors.js';
import { withoutAt } from '../contract/ids.js';
import type { Connection } from '../ports/caller.js';
import type { Exchange } from './exchange.js';

export function connectionOf(exchange: Exchange): Connection {
  const named = agreedValue('agent', exchange.header('coterie-agent'), exchange.query('agent'));
  const agent = named === undefined ? undefined : withoutAt(named);
  const session = agreedValue('session', exchange.header('coterie-session'), exchange.query('session'));
  const key = /^Bearer (.+)$/i.exec(exchange.header('authorization') ?? '')?.[1];
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(session === undefined ? {} : { session }),
    ...(key === undefined ? {} : { key }),
    origin: exchange.header('mcp-session-id') ?? exchange.header('coterie-client') ?? programOf(exchange),
  };
}

/** Header and query may both name it if they agree. */
function agreedValue(what: string, header: string | undefined, inQuery: string | null): string | undefined {
  if (header !== undefined && inQuery !== null && header !== inQuery) {
    throw new HubError(
      'IDENTITY_MISMATCH',
      `The header coterie-${what} says '${header}' but the address says '${inQuery}'.`,
      {
        hint: `Name the ${what} once.`,
        details: { header, address: inQuery },
      },
    );
  }
  return header ?? inQuery ?? undefined;
}

/** A program may use many sockets, so a socket does not identify it. Its user agent and address nearly do. */
function programOf(exchange: Exchange): string {
  return `${exchange.header('user-agent') ?? ''} ${exchange.request.socket.remoteAddress ?? ''}`;
}
