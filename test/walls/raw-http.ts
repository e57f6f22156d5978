// HTTP by hand: any header, any bytes, as slowly as the test wants.
import { request, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { cleanUpAfter } from '../support/clean-up.js';

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  // oxlint-disable-next-line typescript/no-explicit-any -- Tests read the fields they promise; a wrong one fails the assertion.
  body: any;
}

export interface RawRequest {
  method?: string;
  path?: string;
  headers?: Record<string, string | string[]>;
  body?: string;
}

/** node:http rather than fetch: it sends any Host and any Origin. */
export function ask(url: string, { method = 'GET', path = '/', headers = {}, body }: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = response.headers['content-type'] === 'application/json';
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: isJson ? JSON.parse(text) : text,
        });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export interface RawConnection {
  socket: Socket;
  /** What came until the hub closed the connection. */
  answer: Promise<string>;
}

export function connectRaw(url: string, bytes = '', localAddress?: string): RawConnection {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port), ...(localAddress === undefined ? {} : { localAddress }) });
  cleanUpAfter(() => socket.destroy());
  const answer = new Promise<string>((resolve) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    // A reset after the answer is an end too.
    socket.on('error', () => {});
    socket.once('close', () => resolve(text));
  });
  socket.write(bytes);
  return { socket, answer };
}

/** Of an answer that was read by hand. */
export function partsOf(text: string): { status: number; headers: string; error: Record<string, unknown> } {
  const [headers = '', body = ''] = text.split('\r\n\r\n');
  return { status: Number(headers.split(' ')[1]), headers, error: JSON.parse(body).error };
}
