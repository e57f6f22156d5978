// An answer with megabytes of data in it, as JSON, without holding up everyone else: long texts are taken out of it,
// written a slice at a time with turns for others in between, and put back where they were.
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isBase64 } from '../contract/content/base64.js';

/** Answers with less data than this are written at once. */
export const largeAnswerBytes = 64 * 1024;

/** A multiple of four: whole slices of base64 are base64 themselves. */
const sliceChars = 64 * 1024;
/** Between two turns; about two milliseconds' work. */
const slicesPerTurn = 16;

export async function jsonInPieces(answer: unknown): Promise<Buffer[]> {
  // No one can have written it into a message: it is made after them.
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
    // Both halves of a character beyond 16 bits go into one slice.
    const whole = isFirstHalf(text.charCodeAt(end - 1)) ? end - 1 : end;
    yield text.slice(start, whole);
    start = whole;
  }
}

function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** Base64 needs no escapes; finding that out is a fifth of the work of writing it as JSON. */
function insideQuotes(slice: string): Buffer {
  return isBase64(slice) ? Buffer.from(slice, 'latin1') : Buffer.from(JSON.stringify(slice).slice(1, -1));
}
