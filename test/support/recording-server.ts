// A server that keeps what is posted to it: an ntfy server, or the receiver of a webhook.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUpAfter } from './clean-up.js';

export interface Posted {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  // Tests read the fields they promise; a wrong one fails the assertion.
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any;
}

export interface RecordingServer {
  url: string;
  /** For --push-hosts. */
  host: string;
  posted: readonly Posted[];
  /** Statuses of the next answers; 200 after them. */
  answer(...statuses: number[]): void;
}

/** Stopped after the test, or after the file when no test runs. */
export async function startRecordingServer(): Promise<RecordingServer> {
  const posted: Posted[] = [];
  const statuses: number[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      posted.push({ path: request.url ?? '', headers: request.headers, text, json: JSON.parse(text) as unknown });
      response.writeHead(statuses.shift() ?? 200).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUpAfter(() => {
    server.close();
    server.closeAllConnections();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `http://${host}`, host, posted, answer: (...given) => void statuses.push(...given) };
}
