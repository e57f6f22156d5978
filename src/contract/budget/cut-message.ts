// Truncates a message too long for one answer, and adds the call that reads the rest.
import type { Message } from '../message.js';
import { contentAsText } from '../text/content-as-text.js';
import { messageTokens } from './message-tokens.js';

/** As much of the message from `offset` on as `tokens` allow; unchanged if all of it fits. */
export function cutMessage(message: Message, tokens: number, offset = 0): Message {
  if (offset === 0 && messageTokens(message) <= tokens) return message;
  const whole = wholeText(message);
  const from = characterStart(whole, Math.min(offset, whole.length));
  const { payload: _, metadata: __, context: ___, ...frame } = message;
  const partTo = (to: number) => ({ ...frame, ...partOf(whole, { id: message.id, from, to }) });
  // A token is rarely longer than eight characters, which bounds the search.
  const least = Math.min(whole.length, from + ((whole.codePointAt(from) ?? 0) > 0xffff ? 2 : 1));
  let low = least;
  let high = Math.min(whole.length, from + tokens * 8);
  if (messageTokens(partTo(high)) <= tokens) return partTo(high);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (messageTokens(partTo(middle)) <= tokens) low = middle;
    else high = middle - 1;
  }
  return partTo(Math.max(least, characterStart(whole, low)));
}

interface Part {
  id: string;
  from: number;
  to: number;
}

function partOf(whole: string, { id, from, to }: Part): Pick<Message, 'content' | 'cut'> {
  const isRest = to >= whole.length;
  const next = isRest ? {} : { next: `get_messages {"messageId":"${id}","offset":${to}}` };
  return {
    content: [{ type: 'text', text: whole.slice(from, to) }],
    cut: { from, to, of: whole.length, ...next },
  };
}

/** All long fields in one text, so that one offset addresses all of it. */
function wholeText({ content, context, payload, metadata }: Message): string {
  return [
    contentAsText(content),
    ...(context === undefined ? [] : [`[context] ${context}`]),
    ...(payload === undefined ? [] : [`[payload] ${JSON.stringify(payload)}`]),
    ...(metadata === undefined ? [] : [`[metadata] ${JSON.stringify(metadata)}`]),
  ].join('\n');
}

/** Never splits a surrogate pair. */
function characterStart(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return index > 0 && code >= 0xdc00 && code < 0xe000 ? index - 1 : index;
}
