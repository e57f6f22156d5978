// Reads a request's JSON within limits: size while it arrives, depth and number of values before it is parsed.
import { isAscii } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { HubError, toHubError } from '../contract/errors.js';
import { badShapeOf } from '../contract/input/json-depth.js';
import { limits } from '../contract/limits.js';
import { longTurn } from '../ports/long-turns.js';
import type { Exchange } from './exchange.js';

export async function readJson(exchange: Exchange): Promise<unknown> {
  const bytes = await readBytes(exchange);
  if (bytes.length === 0) return undefined;
  if (bytes.length >= largeBodyBytes) await longTurn();
  const bad = badShapeOf(bytes, { depth: limits.jsonDepth, values: limits.jsonValues });
  if (bad !== undefined) throw bad === 'deep' ? tooDeep() : tooMany();
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

function tooDeep(): HubError {
  return new HubError('JSON_TOO_DEEP', `The request body nests deeper than ${limits.jsonDepth}.`, {
    hint: 'Send a flatter structure, or send it as text.',
    details: { limit: limits.jsonDepth },
  });
}

function tooMany(): HubError {
  return new HubError('JSON_TOO_MANY_VALUES', `The request body has more than ${limits.jsonValues} keys and values.`, {
    hint: 'Send it in parts, or as text.',
    details: { limit: limits.jsonValues },
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
