// How far a thread has been shown, for those who wait until it is.

export class ShownPosition {
  #last = 0;
  readonly #waiting = new Set<() => void>();

  moveTo(seq: number): void {
    this.#last = seq;
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  async reached(seq: number): Promise<void> {
    while (this.#last < seq) {
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
    }
  }
}
