// When to give up a call so that it falls around the moment its answer arrives.

const samplesKept = 40;
/** Timers are late by a millisecond or two; the last stretch is walked in turns of the loop. */
const timerSlackMs = 2;

/** Learns how long answers take, and aims there. */
export class Aim {
  #random;
  #spreadMs;
  #samples = [];

  constructor(random, spreadMs) {
    this.#random = random;
    this.#spreadMs = spreadMs;
  }

  sample(ms) {
    this.#samples.push(ms);
    if (this.#samples.length > samplesKept) this.#samples.shift();
  }

  next() {
    if (this.#samples.length === 0) return this.#random.between(0, this.#spreadMs);
    // The quicker of two, since a call given up too late is just a call.
    const centre = Math.min(this.#random.pick(this.#samples), this.#random.pick(this.#samples));
    return Math.max(0, centre + this.#random.between(-this.#spreadMs, this.#spreadMs));
  }
}

/** Calls back after `ms`, to a fraction of a millisecond. Returns the function that calls it off. */
export function after(ms, callback) {
  const end = performance.now() + ms;
  let isOff = false;
  const step = () => {
    if (isOff) return;
    if (performance.now() >= end) callback();
    else setImmediate(step);
  };
  const timer = setTimeout(step, Math.max(0, ms - timerSlackMs));
  return () => {
    isOff = true;
    clearTimeout(timer);
  };
}
