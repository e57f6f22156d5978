// The work that every peer does: ann sends to a thread of four, so three others get it.
export const sender = 'ann';
export const recipients = ['ben', 'cyn', 'dan'];
/** The one whose waiting is measured. */
export const [reader] = recipients;

/** Thrown by a peer's `start` when this machine cannot run it; the others are measured all the same. */
export class Unavailable extends Error {}

/** What arrives, one by one, for whoever asks for the next; for clients that hand messages to a callback. */
export class Arrivals {
  #waiting = [];
  #arrived = [];

  add(text) {
    const resolve = this.#waiting.shift();
    if (resolve === undefined) this.#arrived.push(text);
    else resolve(text);
  }

  next() {
    const text = this.#arrived.shift();
    if (text !== undefined) return Promise.resolve(text);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
