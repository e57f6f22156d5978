// Which hub a client talks to: any of them, and another one after an error.

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

  moveOn() {
    const others = this.#urls.filter((url) => url !== this.#url);
    if (others.length > 0) this.#url = this.#random.pick(others);
  }
}
