// One POST to a checked endpoint: bounded in time and size, redirects are not followed.
import { request as httpRequest } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import type { Endpoint } from './endpoint-guard.js';

/** For one push, also if it takes two requests. */
export const requestMsMax = 10_000;
const responseBytesMax = 4_096;

export interface PostAnswer {
  status: number;
  retryAfter: string | undefined;
  /** The start of it. */
  body: string;
}

export interface PostRequest {
  headers: Record<string, string>;
  body: Buffer;
  withinMs?: number;
  signal?: AbortSignal | undefined;
}

export function post({ url, lookup }: Endpoint, given: PostRequest): Promise<PostAnswer> {
  const { headers, body, withinMs = requestMsMax, signal } = given;
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': body.length },
    // A connection of its own: a kept one would not be looked up and checked again.
    agent: false,
    ...(lookup === undefined ? {} : { lookup }),
    ...(signal === undefined ? {} : { signal }),
  };
  return new Promise((resolve, reject) => {
    const request = send(url, options, (response) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      const done = () => {
        clearTimeout(deadline);
        const { statusCode = 0, headers: answered } = response;
        const text = Buffer.concat(parts).subarray(0, responseBytesMax).toString();
        resolve({ status: statusCode, retryAfter: answered['retry-after'], body: text });
        request.destroy();
      };
      response.on('data', (part: Buffer) => {
        parts.push(part);
        bytes += part.length;
        if (bytes >= responseBytesMax) done();
      });
      response.on('end', done);
      // The status has arrived; the rest of the answer does not matter.
      response.on('error', done);
    });
    const deadline = setTimeout(() => request.destroy(new Error('no answer in time')), withinMs);
    request.on('error', (error) => {
      clearTimeout(deadline);
      reject(error);
    });
    request.end(body);
  });
}
