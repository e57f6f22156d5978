// What a replay shows at a position, and how long it waits for the next message. A position is a seq: what has that seq or a
// lower one has been said. Pure.
import type { Message } from '../types.js';

/** How fast it plays: so many times as fast as it went, or all of it in so many seconds. */
export type Pace = { times: number } | { seconds: number };

export const timesMax = 1_000;

/** Silences are cut to this, at any speed. */
const silenceMs = 3_000;
/** What was said at once is still seen to come one after the other, */
const leastMs = 60;
/** up to this speed; at a higher one there is less time for that. */
const seenTimes = 64;

/** What was said last, up to the position; at most so many. */
export function visibleAt(messages: readonly Message[], position: number, max: number): readonly Message[] {
  const end = messages.findLastIndex(({ seq }) => seq <= position) + 1;
  return messages.slice(Math.max(0, end - max), end);
}

export function nextAfter(messages: readonly Message[], position: number): Message | undefined {
  return messages.find(({ seq }) => seq > position);
}

/** The one before the message at the position. */
export function previousAt(messages: readonly Message[], position: number): Message | undefined {
  const current = messages.findLastIndex(({ seq }) => seq <= position);
  return messages[current - 1];
}

export function waitBetween(from: Message | undefined, to: Message, times: number): number {
  const least = Math.min(leastMs, (leastMs * seenTimes) / times);
  if (from === undefined) return least;
  const gap = (Date.parse(to.timestamp) - Date.parse(from.timestamp)) / times;
  return Math.min(silenceMs, Math.max(least, gap));
}

export interface Advance {
  position: number;
  /** Of the time that was to be played, what is left. */
  leftMs: number;
  /** The messages at hand are used up. */
  isAtEnd: boolean;
}

/** Plays so many milliseconds of the messages at hand, from the position on. */
export function advance(messages: readonly Message[], from: number, ms: number, times: number): Advance {
  let at = messages.findLastIndex(({ seq }) => seq <= from);
  let leftMs = ms;
  for (let next = messages[at + 1]; next !== undefined; next = messages[at + 1]) {
    const wait = waitBetween(messages[at], next, times);
    if (wait > leftMs) return { position: messages[at]?.seq ?? from, leftMs, isAtEnd: false };
    leftMs -= wait;
    at += 1;
  }
  return { position: messages[at]?.seq ?? from, leftMs, isAtEnd: true };
}

/** Any speed from 1× to 1000× by a slider of 0 to 100: each step is by the same factor. */
export function timesAt(step: number): number {
  const exact = timesMax ** (step / 100);
  return exact < 10 ? Math.round(exact * 10) / 10 : Math.round(exact);
}

export function stepOf(times: number): number {
  return Math.round((Math.log(times) / Math.log(timesMax)) * 100);
}
