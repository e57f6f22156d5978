// One keep-alive connection that makes one request after the other, with as little of its own cost as possible.
import { connect } from 'node:net';
import { toolCallBody, toolCallHeaders } from './tool-call.mjs';

export class RawConnection {
  #socket;
  #host;
  #buffered = '';
  #done;

  constructor({ host, hostname, port }) {
    this.#host = host;
    this.#socket = connect(Number(port), hostname);
    this.#socket.setNoDelay(true);
    this.#socket.on('error', () => {});
    this.#socket.on('data', (chunk) => this.#receive(chunk));
  }

  /** Resolves with the answer's text, head included, and the moment it was whole. */
  post(path, headers, body) {
    const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`);
    const head = `POST ${path} HTTP/1.1\r\nhost: ${this.#host}\r\n${lines.join('')}content-type: application/json\r\n`;
    this.#socket.write(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    return new Promise((resolve) => {
      this.#done = resolve;
    });
  }

  close() {
    this.#socket.destroy();
  }

  #receive(chunk) {
    this.#buffered += chunk.latin1Slice();
    const end = this.#buffered.indexOf('\r\n\r\n');
    const length = end < 0 ? undefined : /content-length: (\d+)/i.exec(this.#buffered.slice(0, end))?.[1];
    if (length === undefined || this.#buffered.length < end + 4 + Number(length)) return;
    const text = this.#buffered;
    this.#buffered = '';
    this.#done?.({ text, at: performance.now() });
  }
}

/** Makes MCP tool calls. */
export class RawClient {
  #connection;
  #path;

  /** `address` is the MCP endpoint, with the agent and session in its query. */
  constructor(address) {
    const url = new URL(address);
    this.#connection = new RawConnection(url);
    this.#path = url.pathname + url.search;
  }

  call(name, input) {
    return this.#connection.post(this.#path, toolCallHeaders(name), toolCallBody(name, input));
  }

  close() {
    this.#connection.close();
  }
}

export function quantile(figures, share) {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
