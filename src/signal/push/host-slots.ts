// How many pushes go to one host at a time: a slow service must not hold up the others.
export class HostSlots {
  readonly #max: number;
  readonly #hosts = new Map<string, { running: number; waiting: (() => void)[] }>();

  constructor(max: number) {
    this.#max = max;
  }

  async run<Result>(host: string, work: () => Promise<Result>): Promise<Result> {
    const slots = this.#hosts.get(host) ?? { running: 0, waiting: [] };
    this.#hosts.set(host, slots);
    if (slots.running >= this.#max) await new Promise<void>((resolve) => slots.waiting.push(resolve));
    else slots.running += 1;
    try {
      return await work();
    } finally {
      const next = slots.waiting.shift();
      if (next !== undefined) next();
      else if ((slots.running -= 1) === 0) this.#hosts.delete(host);
    }
  }
}
