// A response that becomes an event stream when progress is sent before the result.
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

  /** Result and end of body go out in one write, so that a client never gets one without the other. */
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
