// MCP messages on stdin and stdout, reported to the evidence. The SDK's own transport drops open calls at the end of
// input; this one only reports it, so that answers can still be written and settled.
import { ReadBuffer, serializeMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import type { Readable, Writable } from 'node:stream';
import { LineReader, type LongLine } from './line-reader.js';
import type { ReplyEvidence } from './reply-evidence.js';

/** Above the hub's own limit, so that the hub refuses it with an error code. */
const lineBytesMax = 16 * 1024 * 1024;
/** JSON-RPC's code for an invalid request. */
const invalidRequest = -32_600;

export interface StdioPorts {
  stdin: Readable;
  stdout: Writable;
  evidence: ReplyEvidence;
  received: (message: JSONRPCMessage) => void;
}

export class StdioTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  /** Resolves when the client has closed stdin or stdout. */
  readonly ended: Promise<void>;
  /** Resolves when the client no longer reads stdout. */
  readonly broken: Promise<void>;
  readonly #ports: StdioPorts;
  readonly #lines = new LineReader(lineBytesMax);
  readonly #messages = new ReadBuffer({ maxBufferSize: lineBytesMax + 1 });
  #end: () => void = () => {};
  #break: () => void = () => {};
  #isClosed = false;

  constructor(ports: StdioPorts) {
    this.#ports = ports;
    this.ended = new Promise((resolve) => (this.#end = resolve));
    this.broken = new Promise((resolve) => (this.#break = resolve));
  }

  async start(): Promise<void> {
    const { stdin, stdout, evidence } = this.#ports;
    stdin.on('data', (chunk: Buffer) => this.#read(chunk));
    stdin.once('end', () => {
      const rest = this.#lines.rest();
      if (rest !== undefined) this.#refuse(rest);
    });
    for (const event of ['end', 'close', 'error'] as const) stdin.once(event, () => this.#end());
    stdout.on('error', () => {
      evidence.settle('lost');
      this.#break();
      this.#end();
    });
  }

  #read(chunk: Buffer): void {
    for (const line of this.#lines.read(chunk)) {
      if (this.#isClosed) return;
      if ('id' in line) this.#refuse(line);
      else this.#receive(line);
    }
  }

  /** The next line is read as usual. */
  #refuse({ bytes, id }: LongLine): void {
    const message = `BODY_TOO_LARGE: the line has ${bytes} bytes, more than ${lineBytesMax}. Send it in parts.`;
    this.onerror?.(new Error(message));
    const answer = { jsonrpc: '2.0', id, error: { code: invalidRequest, message } };
    // A client that no longer reads is noticed by the answers it misses.
    this.#write(`${JSON.stringify(answer)}\n`, () => {}).catch(() => {});
  }

  #receive(line: Buffer): void {
    this.#messages.append(line);
    for (;;) {
      const message = this.#next();
      if (message === null) return;
      if (message === undefined) continue;
      this.#ports.evidence.onReceive(message);
      this.#ports.received(message);
      this.onmessage?.(message);
    }
  }

  /** Null when no complete line is left; undefined for an invalid message. */
  #next(): JSONRPCMessage | null | undefined {
    try {
      return this.#messages.readMessage();
    } catch (error) {
      this.onerror?.(asError(error));
      return undefined;
    }
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#write(serializeMessage(message), this.#ports.evidence.onSend(message));
  }

  /** True if the client still reads stdout. Clients ignore the empty line. */
  async probe(): Promise<boolean> {
    try {
      await this.#write('\n', () => {});
      return true;
    } catch {
      return false;
    }
  }

  #write(line: string, written: (error?: Error | null) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#ports.stdout.write(line, (error) => {
        written(error);
        if (error === undefined || error === null) resolve();
        else reject(error);
      });
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#messages.clear();
    this.#ports.stdin.pause();
    this.onclose?.();
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
