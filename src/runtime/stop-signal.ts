// Signals parked waits that the hub is stopping, so that they answer with what they have.

export class StopSignal {
  readonly #callbacks = new Set<() => void>();
  isStopping = false;

  onStop(callback: () => void): () => void {
    this.#callbacks.add(callback);
    return () => this.#callbacks.delete(callback);
  }

  stop(): void {
    this.isStopping = true;
    for (const callback of Array.from(this.#callbacks)) callback();
  }
}
