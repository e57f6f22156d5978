// Which hub a client talks to: any of them, another one after an error, and now and then another without a reason.

const wanderShare = 0.1;

export class HubChoice {
  #urls;
  #random;
  #url;

  constructor(urls, random) {
    this.#urls = urls;
    this.#random = random;
    this.#url = random.pick(urls);
  }

  get url() {
    return this.#url;
  }

  /** Before a call. */
  wander() {
    if (this.#random.happens(wanderShare)) this.moveOn();
  }

  moveOn() {
    const others = this.#urls.filter((url) => url !== this.#url);
    if (others.length > 0) this.#url = this.#random.pick(others);
  }
}
