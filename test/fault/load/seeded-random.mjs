// Random choices that the same seed makes again.
import { createHash } from 'node:crypto';

export class SeededRandom {
  #state;

  constructor(...seeds) {
    this.#state = createHash('sha256').update(seeds.join('\n')).digest().readUInt32LE();
  }

  /** From 0 up to 1 (mulberry32). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  }

  between(min, max) {
    return min + this.next() * (max - min);
  }

  whole(min, max) {
    return Math.floor(this.between(min, max + 1));
  }

  happens(share) {
    return this.next() < share;
  }

  pick(list) {
    return list[this.whole(0, list.length - 1)];
  }
}
