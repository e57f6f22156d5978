// Serializes a response with megabytes of data without blocking the event loop: long strings are replaced by a
// placeholder, encoded in slices with yields in between, and put back.
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isBase64 } from '../contract/content/base64.js';

/** Responses with less data than this are serialized at once. */
export const largeAnswerBytes = 64 * 1024;

/** A multiple of four, so that every slice of base64 is valid base64. */
const sliceChars = 64 * 1024;
/** Slices between two yields: about a millisecond of work. */
const slicesPerTurn = 8;

export async function jsonInPieces(answer: unknown): Promise<Buffer[]> {
  // Generated after the messages were written, so no message can contain it.
  const placeholder = randomUUID();
  const long: string[] = [];
  const frame = JSON.stringify(answer, (_, field: unknown) => {
    if (typeof field !== 'string' || field.length < sliceChars) return field;
    long.push(field);
    return placeholder;
  });
  const [first = '', ...others] = frame.split(placeholder);
  const pieces: Buffer[] = [Buffer.from(first)];
  let slices = 0;
  for (const [index, following] of others.entries()) {
    for (const slice of slicesOf(long[index] ?? '')) {
      pieces.push(insideQuotes(slice));
      slices += 1;
      if (slices % slicesPerTurn === 0) await nextTurn();
    }
    pieces.push(Buffer.from(following));
  }
  return pieces;
}

function* slicesOf(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const end = start + sliceChars;
    // A surrogate pair stays in one slice.
    const whole = isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
    yield text.slice(start, whole);
    start = whole;
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** Base64 needs no escaping; checking for it costs a fifth of JSON.stringify. */
function insideQuotes(slice: string): Buffer {
  return isBase64(slice) ? Buffer.from(slice, 'latin1') : Buffer.from(JSON.stringify(slice).slice(1, -1));
}
