// The identity a request claims, before it is checked, and the program that sent it.
import {
  clientIdHeader,
  clientTitleHeader,
  commandClientId,
  shortTitle,
  unpromptedHeader,
} from '../contract/client-headers.js';
import { HubError } from '../contract/errors.js';
import { withoutAt } from '../contract/ids.js';
import type { Connection } from '../ports/caller.js';
import { connectAs } from './connect-as.js';
import type { Exchange } from './exchange.js';
import { isOwnPage } from './guard.js';

export interface KnownOfClient {
  clientTitle?: string | undefined;
  /** Set for a handshake: the id given to the program with its answer, or null if it gets none. */
  handshake?: { id: string | null };
}

export function connectionOf(exchange: Exchange, { clientTitle, handshake }: KnownOfClient = {}): Connection {
  const named = agreedValue('agent', exchange.header('coterie-agent'), exchange.query('agent'));
  const { grant } = exchange;
  const agent = named === undefined ? (grant?.agentId ?? undefined) : withoutAt(named);
  const session =
    agreedValue('session', exchange.header('coterie-session'), exchange.query('session')) ?? grant?.sessionId;
  const title = titleOf(exchange, clientTitle);
  const clientId = exchange.header(clientIdHeader);
  return {
    grant,
    address: exchange.address,
    isPage: isOwnPage(exchange),
    isUnprompted: exchange.header(unpromptedHeader) === '1',
    ...(agent === undefined ? {} : { agent }),
    ...(session === undefined ? {} : { session }),
    ...(title === undefined ? {} : { clientTitle: title }),
    program: {
      id: handshake?.id ?? exchange.header('mcp-session-id') ?? clientId ?? null,
      likeness: `${(exchange.header('user-agent') ?? '').slice(0, 200)} ${exchange.address}`,
      isHandshake: handshake !== undefined,
      isCommand: clientId === commandClientId,
      socket: exchange.request.socket,
      isProxied: exchange.isProxied,
    },
    connectAs: (id) => connectAs(exchange, id),
  };
}

function titleOf(exchange: Exchange, known: string | undefined): string | undefined {
  const encoded = exchange.header(clientTitleHeader);
  if (known !== undefined) return shortTitle(known);
  return encoded === undefined ? undefined : shortTitle(decoded(encoded));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Header and query may both name it if they agree. */
function agreedValue(what: string, header: string | undefined, inQuery: string | null): string | undefined {
  if (header !== undefined && inQuery !== null && header !== inQuery) {
    const [one, other] = [header.slice(0, 80), inQuery.slice(0, 80)];
    throw new HubError(
      'IDENTITY_MISMATCH',
      `The header coterie-${what} says '${one}' but the address says '${other}'.`,
      {
        hint: `Name the ${what} once.`,
        details: { header: one, address: other },
      },
    );
  }
  return header ?? inQuery ?? undefined;
}
