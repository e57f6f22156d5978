// The request of a model provider as a file. All messages are read before they are formatted: a tool's result belongs to its call,
// however many pages are between them.
import type { Formatted, FormatProvider } from '../../../../src/contract/format-choice.js';
import { inTurns } from '../in-turns.js';
import type { Message } from '../types.js';
import type { Said } from './provider-request.js';
import { requireRoom, SavedFile } from './saved-file.js';

export async function requestFile(provider: FormatProvider, said: Said): Promise<Blob> {
  const { requestOf } = await import('./provider-request.js');
  const request = await inTurns(requestOf(provider, said));
  const file = new SavedFile('application/json');
  await inTurns(addRequest(file, request));
  return file.blob();
}

/** The same text as JSON.stringify gives for all of it. */
function* addRequest(file: SavedFile, { messages, ...rest }: Formatted): Generator<void, void> {
  file.add('{"messages":[');
  for (const [index, message] of messages.entries()) {
    file.add(`${index === 0 ? '' : ','}${JSON.stringify(message)}`);
    yield;
  }
  const others = JSON.stringify(rest).slice(1, -1);
  file.add(`]${others === '' ? '' : `,${others}`}}\n`);
}

/** At most as much as a file may have. */
export async function readAll(pages: AsyncIterable<{ messages: readonly Message[] }>): Promise<Message[]> {
  const all: Message[] = [];
  let chars = 0;
  for await (const { messages } of pages) {
    chars += JSON.stringify(messages).length;
    requireRoom(chars);
    all.push(...messages);
  }
  return all;
}
