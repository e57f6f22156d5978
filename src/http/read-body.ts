// Reads a request's JSON within limits: size while it arrives, depth before it is parsed.
import { isAscii } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { HubError, toHubError } from '../contract/errors.js';
import { limits } from '../contract/limits.js';
import type { Exchange } from './exchange.js';

export async function readJson(exchange: Exchange): Promise<unknown> {
  const bytes = await readBytes(exchange);
  if (bytes.length === 0) return undefined;
  requireShallow(bytes);
  const body = parse(bytes);
  // Parsing took milliseconds and validation will too: yield to other requests in between.
  if (bytes.length >= largeBodyBytes) await nextTurn();
  return body;
}

const largeBodyBytes = 256 * 1024;

function parse(bytes: Buffer): unknown {
  try {
    // Large bodies are mostly ASCII, which latin1 decodes ten times as fast as utf8.
    return JSON.parse(bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8'));
  } catch (cause) {
    throw new HubError('JSON_INVALID', 'The request body is not valid JSON.', {
      hint: 'Send one JSON value, UTF-8.',
      cause,
    });
  }
}

/** Shorter bodies are not counted: a connection costs as much. */
const uncountedBytes = 64 * 1024;

function readBytes(exchange: Exchange): Promise<Buffer> {
  const { request } = exchange;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let isRefused = false;
    // Refuses as soon as the size is known. The rest is read and discarded up to a limit: a client that is still
    // sending then gets the error response instead of a reset.
    const refuse = (error: Error) => {
      isRefused = true;
      chunks.length = 0;
      reject(error);
    };
    let held = 0;
    const hold = () => {
      if (length <= uncountedBytes) return;
      exchange.holdBody(length - held);
      held = length;
    };
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > limits.requestBytes) refuse(tooLarge(`is ${announced} bytes`));
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (!isRefused) {
        try {
          if (length > limits.requestBytes) throw tooLarge('is too long');
          hold();
          chunks.push(chunk);
        } catch (error) {
          refuse(toHubError(error));
        }
      } else if (length > limits.requestBytes * discardFactorMax) request.destroy();
    });
    request.on('end', () => {
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    });
    const disconnected = () => {
      if (!request.complete) reject(new HubError('CANCELLED', 'The client disconnected.', { hint: 'Call again.' }));
    };
    request.on('error', disconnected);
    request.on('close', disconnected);
  });
}

/** A body this many times over the limit closes the connection. */
const discardFactorMax = 8;

const [quote, backslash, openBrace, openBracket, closeBrace, closeBracket] = [0x22, 0x5c, 0x7b, 0x5b, 0x7d, 0x5d];

/** Counts brackets outside strings, so that deep nesting never reaches a recursive parser or serializer. */
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

/** Bytes of a string checked one by one; the end of a longer string is found with indexOf, which is faster. */
const shortStringBytes = 256;

/** The index of the closing quote, or of the end of the input. */
function endOfString(bytes: Buffer, start: number): number {
  const near = Math.min(bytes.length, start + shortStringBytes);
  let index = start;
  for (; index < near; index++) {
    const byte = bytes[index];
    if (byte === quote) return index;
    if (byte === backslash) index += 1;
  }
  for (;;) {
    const found = bytes.indexOf(quote, index);
    if (found < 0) return bytes.length;
    // A quote after an odd number of backslashes is escaped.
    let before = found;
    while (before > index && bytes[before - 1] === backslash) before -= 1;
    if ((found - before) % 2 === 0) return found;
    index = found + 1;
  }
}

function tooDeep(): HubError {
  return new HubError('JSON_TOO_DEEP', `The request body nests deeper than ${limits.jsonDepth}.`, {
    hint: 'Send a flatter structure, or send it as text.',
    details: { limit: limits.jsonDepth },
  });
}

function tooLarge(problem: string): HubError {
  return new HubError(
    'BODY_TOO_LARGE',
    `The request body ${problem}; at most ${limits.requestBytes} bytes are accepted.`,
    {
      hint: 'Send it in parts.',
      details: { limit: limits.requestBytes },
    },
  );
}
