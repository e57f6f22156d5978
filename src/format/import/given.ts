// Checked access to JSON of unknown shape. Errors name the path.
import { badMessage } from '../../contract/msg/read-messages.js';

export type Fields = Record<string, unknown>;

export function isFields(given: unknown): given is Fields {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

export function requireFields(given: unknown, path: string): Fields {
  if (!isFields(given)) throw badMessage(path, 'must be an object');
  return given;
}

export function requireText(given: unknown, path: string): string {
  if (typeof given !== 'string') throw badMessage(path, 'must be a string');
  return given;
}

export function requireList(given: unknown, path: string): unknown[] {
  if (!Array.isArray(given)) throw badMessage(path, 'must be a list');
  return given;
}

/** The list of messages: the document itself, or its `messages`. */
export function messagesIn(document: unknown): Fields[] {
  const list = isFields(document) && 'messages' in document ? document['messages'] : document;
  return requireList(list, 'messages').map((message, index) => requireFields(message, `messages[${index}]`));
}

export function unknownKind(path: string, kind: unknown, known: readonly string[]): Error {
  return badMessage(`${path}.type`, `'${String(kind)}' is not supported; supported are ${known.join(', ')}`);
}

/** A `data:` URL becomes a base64 source, any other a URL source. */
export function sourceOfUrl(url: string): Fields {
  const [, mediaType, data] = /^data:([^;,\s]+)(?:;[^;,\s]+)*;base64,([A-Za-z0-9+/=]+)$/i.exec(url) ?? [];
  return mediaType === undefined ? { type: 'url', url } : { type: 'base64', mediaType, data };
}
