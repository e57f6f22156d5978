// Whether a model reads the answer to a request, and which conversation it goes into.
import { resultTokensMax, resultTokensMin, type ModelReader } from '../contract/budget/model-reader.js';
import { HubError } from '../contract/errors.js';
import type { Exchange } from './exchange.js';

/** A program that passes answers on to a model says what they may cost. The stdio bridge does. */
const resultTokensHeader = 'coterie-result-tokens';

export function modelReaderOf(exchange: Exchange): ModelReader | undefined {
  const given = exchange.header(resultTokensHeader);
  if (given === undefined) return undefined;
  const tokensMax = /^\d{1,9}$/.test(given) ? Number(given) : 0;
  if (tokensMax < resultTokensMin || tokensMax > resultTokensMax) {
    throw new HubError('INVALID_INPUT', `The header ${resultTokensHeader} says '${given.slice(0, 40)}'.`, {
      hint: `Give ${resultTokensMin} to ${resultTokensMax}, or leave it out for whole results.`,
      details: { field: resultTokensHeader },
    });
  }
  return { tokensMax, conversation: exchange.header('coterie-client') ?? null };
}

/**
 * A label is handed out anew with every handshake. Where there is none the connection itself stands for the
 * conversation, since a program that starts afresh opens its own; unless a relay shares one among several.
 */
export function conversationOf(exchange: Exchange, label: string | undefined): string | null {
  if (label !== undefined) return label;
  const isRelayed = ['via', 'forwarded', 'x-forwarded-for'].some((name) => exchange.header(name) !== undefined);
  return isRelayed ? null : `connection ${numberOf(exchange.request.socket)}`;
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
