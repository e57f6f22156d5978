// Messages as they went, from the stored history. It holds a bounded window around the position, as a thread's page does.
import { signal, type Signal } from '@preact/signals';
import { Refused, Unreachable } from '../api.js';
import { addNewer, addOlder, emptyWindow, type ThreadWindow } from '../threads/thread-window.js';
import type { Message } from '../types.js';
import { advance, nextAfter, previousAt, visibleAt, type Pace } from './replay-steps.js';
import type { ReplaySource } from './sources.js';

/** How often the page is drawn while it plays. */
const tickMs = 50;
/** Messages on the page at once. */
const shownMax = 100;
const playingMax = 20;
/** A slow answer is not made up for by showing much at once. */
const owedMsMax = 3_000;

export class Replay {
  readonly window: Signal<ThreadWindow> = signal(emptyWindow);
  readonly error: Signal<Error | undefined> = signal(undefined);
  /** The first and the last seq, when the replay was opened; nothing can be sought before they are known. */
  readonly range: Signal<{ first: number; last: number } | undefined> = signal(undefined);
  readonly position: Signal<number> = signal(0);
  readonly isPlaying: Signal<boolean> = signal(false);
  readonly pace: Signal<Pace> = signal({ times: 1 });
  readonly source: ReplaySource;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading: Promise<void> = Promise.resolve();
  /** Where the reader wants to be; a newer wish replaces one that was not begun. */
  #wanted: number | undefined;
  /** Time that has passed and was not played yet. */
  #owedMs = 0;
  #playedAt = 0;

  constructor(source: ReplaySource) {
    this.source = source;
  }

  /** At the place that the link names, or at the first message. Answers how to end it. */
  open(link?: string): () => void {
    void this.#read(async () => {
      const last = await this.source.last();
      const oldest = await this.source.after(0);
      const first = oldest.messages[0]?.seq ?? 0;
      const at = link === undefined ? undefined : await this.source.positionOf(link);
      this.window.value = addNewer(emptyWindow, oldest);
      this.position.value = first;
      this.range.value = { first, last };
      if (at !== undefined) await this.#goTo(Math.min(Math.max(at, first), last));
    });
    return () => this.pause();
  }

  /** While it plays, only as much as can be drawn in time. */
  visible(): readonly Message[] {
    return visibleAt(this.window.value.messages, this.position.value, this.isPlaying.value ? playingMax : shownMax);
  }

  /** What is near is shown at once; for another part its pages are read. */
  seek(seq: number): Promise<void> {
    this.#wanted = seq;
    return this.#read(async () => {
      if (this.#wanted === seq) await this.#goTo(seq);
      this.#owedMs = 0;
    });
  }

  step(by: 1 | -1): Promise<void> {
    this.pause();
    return this.#read(() => (by === 1 ? this.#forward() : this.#back()));
  }

  /** From the beginning, if it has come to the end. */
  async play(): Promise<void> {
    const { range, position } = this;
    if (range.value !== undefined && position.value >= range.value.last) await this.seek(range.value.first);
    this.isPlaying.value = true;
    this.#owedMs = 0;
    this.#playedAt = performance.now();
    this.#schedule();
  }

  pause(): void {
    this.isPlaying.value = false;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.isPlaying.value) this.#timer = setTimeout(() => void this.#play(), tickMs);
  }

  /** What is due since the last time, whatever it is: the page is drawn once for it. */
  async #play(): Promise<void> {
    await this.#read(async () => {
      const now = performance.now();
      this.#owedMs = Math.min(owedMsMax, this.#owedMs + now - this.#playedAt);
      this.#playedAt = now;
      const pace = this.pace.value;
      await ('times' in pace ? this.#playTime(pace.times) : this.#playShare(pace.seconds));
    });
    this.#schedule();
  }

  /** As the team did, so many times as fast. */
  async #playTime(times: number): Promise<void> {
    const { position, leftMs, isAtEnd } = advance(this.window.value.messages, this.position.value, this.#owedMs, times);
    this.#owedMs = leftMs;
    this.position.value = position;
    if (isAtEnd && (await this.#next()) === undefined) this.#end();
  }

  /** An equal share of all messages for each moment; those between two pictures need not be read. */
  async #playShare(seconds: number): Promise<void> {
    const { first, last } = this.range.value ?? { first: 0, last: 0 };
    const msOfOne = (seconds * 1_000) / Math.max(1, last - first);
    const count = Math.floor(this.#owedMs / msOfOne);
    if (count === 0) return;
    this.#owedMs -= count * msOfOne;
    await this.#goTo(Math.min(last, this.position.value + count));
    if (this.position.value >= last) this.#end();
  }

  #end(): void {
    this.pause();
    // The last may be one that this reader does not see.
    this.position.value = this.range.value?.last ?? this.position.value;
  }

  async #forward(): Promise<void> {
    this.position.value = (await this.#next())?.seq ?? this.position.value;
  }

  async #back(): Promise<void> {
    const { messages, hasOlder } = this.window.value;
    let found = previousAt(messages, this.position.value);
    if (found === undefined && hasOlder) {
      this.window.value = addOlder(this.window.value, await this.source.before(messages[0]?.seq ?? 0));
      found = previousAt(this.window.value.messages, this.position.value);
    }
    this.position.value = found?.seq ?? this.position.value;
  }

  async #next(): Promise<Message | undefined> {
    const found = nextAfter(this.window.value.messages, this.position.value);
    if (found !== undefined || !this.window.value.hasNewer) return found;
    const last = this.window.value.messages.at(-1)?.seq ?? 0;
    this.window.value = addNewer(this.window.value, await this.source.after(last));
    return nextAfter(this.window.value.messages, this.position.value);
  }

  #holds(seq: number): boolean {
    const { messages, hasOlder, hasNewer } = this.window.value;
    const [first, last] = [messages[0]?.seq ?? Infinity, messages.at(-1)?.seq ?? 0];
    return (seq >= first || !hasOlder) && (seq <= last || !hasNewer);
  }

  async #goTo(seq: number): Promise<void> {
    if (!this.#holds(seq)) {
      const before = await this.source.before(seq + 1);
      const held = { messages: before.messages, hasOlder: before.hasMore, hasNewer: true };
      this.window.value = addNewer(held, await this.source.after(seq));
    }
    this.position.value = seq;
  }

  /** One after the other: each starts from the window that the last one left. */
  #read(work: () => Promise<void>): Promise<void> {
    this.#reading = this.#reading.then(() => this.#attempt(work));
    return this.#reading;
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.error.value = undefined;
    } catch (error) {
      this.pause();
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      this.error.value = error;
    }
  }
}
