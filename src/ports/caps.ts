// What callers hold at a hub at once: parked waits, event streams, bytes of requests.
import type { Grant } from './caller.js';

export interface Holder {
  /** Null in open mode. */
  readonly grant: Grant | null;
  readonly address: string;
}

export interface Holding {
  /** Throws, and adds nothing, when the holder or the hub would hold too much. */
  add(amount: number): void;
  /** Gives back all that was added. May be called more than once. */
  release(): void;
}

export type Hold = (holder: Holder) => Holding;
