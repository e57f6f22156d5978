// Whether a model reads the response, and which conversation it becomes part of.
import { resultTokensMax, resultTokensMin, type ModelReader } from '../contract/budget/model-reader.js';
import { clientIdHeader } from '../contract/client-headers.js';
import { HubError } from '../contract/errors.js';
import type { Exchange } from './exchange.js';

/** A program that passes responses on to a model, like the stdio bridge, sets their token budget. */
const resultTokensHeader = 'coterie-result-tokens';

export function modelReaderOf(exchange: Exchange): ModelReader | undefined {
  const given = exchange.header(resultTokensHeader);
  if (given === undefined) return undefined;
  const tokensMax = /^\d{1,9}$/.test(given) ? Number(given) : 0;
  if (tokensMax < resultTokensMin || tokensMax > resultTokensMax) {
    throw new HubError('INVALID_INPUT', `The header ${resultTokensHeader} has the value '${given.slice(0, 40)}'.`, {
      hint: `Give ${resultTokensMin} to ${resultTokensMax}, or leave it out for whole results.`,
      details: { field: resultTokensHeader },
    });
  }
  return { tokensMax, conversation: exchange.header(clientIdHeader)?.slice(0, idCharsMax) ?? null };
}

/** It is remembered for each thread that the conversation was shown. */
const idCharsMax = 200;

/**
 * Every handshake gets a new label. Without one, the connection identifies the conversation, since a restarted
 * program opens a new connection. Behind a proxy, clients may share connections, so there is no identity.
 */
export function conversationOf(exchange: Exchange, label: string | undefined): string | null {
  if (label !== undefined) return label.slice(0, idCharsMax);
  return exchange.isProxied ? null : `connection ${numberOf(exchange.request.socket)}`;
}

const numbers = new WeakMap<object, number>();
let connections = 0;

function numberOf(socket: object): number {
  const known = numbers.get(socket);
  if (known !== undefined) return known;
  connections += 1;
  numbers.set(socket, connections);
  return connections;
}
