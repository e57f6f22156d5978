// A response that became an event stream because there was something to say before the result.
import type { Exchange } from '../http/exchange.js';

export class EventStream {
  readonly #exchange: Exchange;
  isOpen = false;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  send(message: unknown): void {
    if (this.#exchange.isGone) return;
    this.#open();
    this.#exchange.response.write(frame(message));
  }

  /** The result and the end of the body leave in one write: there is no moment with one and not the other. */
  end(message: unknown): void {
    if (this.#exchange.isGone) return;
    this.#open();
    this.#exchange.response.end(frame(message));
  }

  #open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    this.#exchange.response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
  }
}

function frame(message: unknown): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}
