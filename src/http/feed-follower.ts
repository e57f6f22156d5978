// Writes a session's messages to one follower, each only after the follower has taken those before it: what a follower that
// does not read keeps in memory is one small page, not the session's messages.
import type { Message } from '../contract/message.js';
import { limits } from '../contract/limits.js';
import type { FeedPage } from '../ports/history.js';
import type { MessageRecord } from '../ports/store.js';
import type { Exchange } from './exchange.js';

interface Feed {
  /** The seq after which it follows. */
  position: number;
  read: (afterSeq: number, page: { limit: number; bytesMax: number }) => Promise<FeedPage>;
  view: (record: MessageRecord) => Message;
}

/** A page is held while its follower reads it. One message always fits. */
const page = { limit: 200, bytesMax: 128 * 1024 };

export class FeedFollower {
  readonly #exchange: Exchange;
  readonly #feed: Feed;
  #position: number;
  #isReading = false;
  #isHinted = false;

  constructor(exchange: Exchange, feed: Feed) {
    this.#exchange = exchange;
    this.#feed = feed;
    this.#position = feed.position;
  }

  /** Writes what is there. A hint may arrive while a page is being read or written; then the feed is read again. */
  async follow(): Promise<void> {
    this.#isHinted = true;
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#isHinted && !this.#exchange.isGone) {
      this.#isHinted = false;
      const found = await this.#feed.read(this.#position, page);
      await this.#write(found);
      if (found.hasMore) this.#isHinted = true;
    }
    this.#isReading = false;
  }

  async #write({ messages, position }: FeedPage): Promise<void> {
    for (const record of messages) {
      if (this.#exchange.isGone) return;
      this.#position = record.seq;
      const data = JSON.stringify(this.#feed.view(record));
      this.#exchange.write(`id: ${record.seq}\nevent: message\ndata: ${data}\n\n`);
      await this.#drained();
    }
    // Passes messages that are not shown, so that they are not examined again after a reconnect.
    if (position > this.#position) this.#exchange.write(`id: ${position}\n\n`);
    this.#position = position;
  }

  /** Until the follower has taken what was written. One that takes nothing is disconnected, and may resume at its position. */
  #drained(): Promise<void> {
    const { response } = this.#exchange;
    if (!response.writableNeedDrain || this.#exchange.isGone) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(stuck);
        forget();
        response.off('drain', done);
        resolve();
      };
      const stuck = setTimeout(() => response.destroy(), limits.streamStuckMs).unref();
      const forget = this.#exchange.onGone(done);
      response.once('drain', done);
    });
  }
}
