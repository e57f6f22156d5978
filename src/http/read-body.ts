// Reads a request's JSON within bounds: size while it arrives, depth before it is parsed.
import { isAscii } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { HubError } from '../contract/errors.js';
import { limits } from '../contract/limits.js';

export async function readJson(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return undefined;
  requireShallow(bytes);
  const body = parse(bytes);
  // Reading it took milliseconds, and so will checking it: others have their turn in between.
  if (bytes.length >= largeBodyBytes) await nextTurn();
  return body;
}

const largeBodyBytes = 256 * 1024;

function parse(bytes: Buffer): unknown {
  try {
    // Plain ASCII, as a body of megabytes mostly is, is read ten times as fast.
    return JSON.parse(bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8'));
  } catch (cause) {
    throw new HubError('JSON_INVALID', 'The request body is not valid JSON.', {
      hint: 'Send one JSON value, UTF-8.',
      cause,
    });
  }
}

function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let isRefused = false;
    // As soon as it is known. What still comes is read and dropped, within reason: a client that is busy sending finds
    // the refusal instead of a reset.
    const refuse = (problem: string) => {
      isRefused = true;
      chunks.length = 0;
      reject(tooLarge(problem));
    };
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > limits.requestBytes) refuse(`is ${announced} bytes`);
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (!isRefused && length > limits.requestBytes) refuse('is too long');
      if (!isRefused) chunks.push(chunk);
      else if (length > limits.requestBytes * patience) request.destroy();
    });
    request.on('end', () => {
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    });
    const wentAway = () => {
      if (!request.complete) reject(new HubError('CANCELLED', 'The client went away.', { hint: 'Call again.' }));
    };
    request.on('error', wentAway);
    request.on('close', wentAway);
  });
}

/** So many times the limit may come before the connection is cut. */
const patience = 8;

const [quote, backslash, openBrace, openBracket, closeBrace, closeBracket] = [0x22, 0x5c, 0x7b, 0x5b, 0x7d, 0x5d];

/** Counts brackets outside strings, so that absurd nesting never reaches a recursive parser or printer. */
function requireShallow(bytes: Buffer): void {
  let depth = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === quote) index = endOfString(bytes, index + 1);
    else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth > limits.jsonDepth) throw tooDeep();
    } else if (byte === closeBrace || byte === closeBracket) depth -= 1;
  }
}

/** Bytes of a string that are looked at one by one; the end of a longer one is searched for, many bytes at a time. */
const shortString = 256;

/** The place of the quote that ends it, or the end of all. */
function endOfString(bytes: Buffer, start: number): number {
  const near = Math.min(bytes.length, start + shortString);
  let index = start;
  for (; index < near; index++) {
    const byte = bytes[index];
    if (byte === quote) return index;
    if (byte === backslash) index += 1;
  }
  for (;;) {
    const found = bytes.indexOf(quote, index);
    if (found < 0) return bytes.length;
    // An odd number of backslashes before it makes it a part of the string.
    let before = found;
    while (before > index && bytes[before - 1] === backslash) before -= 1;
    if ((found - before) % 2 === 0) return found;
    index = found + 1;
  }
}

function tooDeep(): HubError {
  return new HubError('JSON_TOO_DEEP', `The request body nests deeper than ${limits.jsonDepth}.`, {
    hint: 'Send it flatter, or as text.',
    details: { limit: limits.jsonDepth },
  });
}

function tooLarge(problem: string): HubError {
  return new HubError(
    'BODY_TOO_LARGE',
    `The request body ${problem}; at most ${limits.requestBytes} bytes are taken.`,
    {
      hint: 'Send it in parts.',
      details: { limit: limits.requestBytes },
    },
  );
}
