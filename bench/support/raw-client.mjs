// One keep-alive connection that makes MCP tool calls one after the other, with as little of its own cost as possible.
import { connect } from 'node:net';
import { toolCallBody, toolCallHeaders } from './tool-call.mjs';

export class RawClient {
  #socket;
  #host;
  #path;
  #buffered = '';
  #done;

  /** `address` is the MCP endpoint, with the agent and session in its query. */
  constructor(address) {
    const url = new URL(address);
    this.#host = url.host;
    this.#path = url.pathname + url.search;
    this.#socket = connect(Number(url.port), url.hostname);
    this.#socket.setNoDelay(true);
    this.#socket.on('error', () => {});
    this.#socket.on('data', (chunk) => this.#receive(chunk));
  }

  /** Resolves with the answer's text and the moment it was whole. */
  call(name, input) {
    const body = toolCallBody(name, input);
    const headers = Object.entries(toolCallHeaders(name)).map(([header, value]) => `${header}: ${value}\r\n`);
    const head = `POST ${this.#path} HTTP/1.1\r\nhost: ${this.#host}\r\n${headers.join('')}content-type: application/json\r\n`;
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

export function quantile(figures, share) {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
