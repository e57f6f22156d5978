// What a request says about who sent it, before anything is believed.
import { HubError } from '../contract/errors.js';
import type { Connection } from '../ports/caller.js';
import type { Exchange } from './exchange.js';

export function connectionOf(exchange: Exchange): Connection {
  const agent = oneOf('agent', exchange.header('coterie-agent'), exchange.query('agent'));
  const session = oneOf('session', exchange.header('coterie-session'), exchange.query('session'));
  const key = /^Bearer (.+)$/i.exec(exchange.header('authorization') ?? '')?.[1];
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(session === undefined ? {} : { session }),
    ...(key === undefined ? {} : { key }),
    origin: exchange.header('mcp-session-id') ?? exchange.header('coterie-client') ?? programOf(exchange),
  };
}

/** Header and address may both name it, if they agree. */
function oneOf(what: string, header: string | undefined, inAddress: string | null): string | undefined {
  if (header !== undefined && inAddress !== null && header !== inAddress) {
    throw new HubError(
      'IDENTITY_MISMATCH',
      `The header coterie-${what} says '${header}' but the address says '${inAddress}'.`,
      {
        hint: `Name the ${what} once.`,
        details: { header, address: inAddress },
      },
    );
  }
  return header ?? inAddress ?? undefined;
}

/** One program may use many sockets, so a socket does not tell programs apart; its name and address nearly do. */
function programOf(exchange: Exchange): string {
  return `${exchange.header('user-agent') ?? ''} ${exchange.request.socket.remoteAddress ?? ''}`;
}
