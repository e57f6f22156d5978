// A message too long for one answer: its text up to a place, and the call that reads on from there.
import type { Message } from '../message.js';
import { contentAsText } from '../text/content-as-text.js';
import { messageTokens } from './message-tokens.js';

/** The message from `offset` on, as much of it as `tokens` allow; as it is when all of it fits. */
export function cutMessage(message: Message, tokens: number, offset = 0): Message {
  if (offset === 0 && messageTokens(message) <= tokens) return message;
  const whole = wholeText(message);
  const from = wholeCharacter(whole, Math.min(offset, whole.length));
  const { payload: _, metadata: __, context: ___, ...frame } = message;
  const partTo = (to: number) => ({ ...frame, ...partOf(message.id, whole, from, to) });
  // A token is seldom more than eight characters: no need to weigh a text many times what fits.
  const least = Math.min(whole.length, from + ((whole.codePointAt(from) ?? 0) > 0xffff ? 2 : 1));
  let low = least;
  let high = Math.min(whole.length, from + tokens * 8);
  if (messageTokens(partTo(high)) <= tokens) return partTo(high);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (messageTokens(partTo(middle)) <= tokens) low = middle;
    else high = middle - 1;
  }
  return partTo(Math.max(least, wholeCharacter(whole, low)));
}

function partOf(id: string, whole: string, from: number, to: number): Pick<Message, 'content' | 'cut'> {
  const isRest = to >= whole.length;
  const next = isRest ? {} : { next: `get_messages {"messageId":"${id}","offset":${to}}` };
  return {
    content: [{ type: 'text', text: whole.slice(from, to) }],
    cut: { from, to, of: whole.length, ...next },
  };
}

/** All that may be long, in one text, so that one offset leads through it. */
function wholeText({ content, context, payload, metadata }: Message): string {
  return [
    contentAsText(content),
    ...(context === undefined ? [] : [`[context] ${context}`]),
    ...(payload === undefined ? [] : [`[payload] ${JSON.stringify(payload)}`]),
    ...(metadata === undefined ? [] : [`[metadata] ${JSON.stringify(metadata)}`]),
  ].join('\n');
}

/** Never between the two halves of one character. */
function wholeCharacter(text: string, place: number): number {
  const code = text.charCodeAt(place);
  return place > 0 && code >= 0xdc00 && code < 0xe000 ? place - 1 : place;
}
