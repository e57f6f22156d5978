// The part of a thread that the page holds: neighbouring messages in the order of their seq, at most `windowMax`. Pure, so that
// a test can compare a followed stream with a fresh read.
import type { Message } from '../types.js';

export interface ThreadWindow {
  readonly messages: readonly Message[];
  /** There are messages before the first. */
  readonly hasOlder: boolean;
  /** There are messages after the last: the reader has scrolled back, and what comes is not held. */
  readonly hasNewer: boolean;
}

const windowMax = 300;

export const emptyWindow: ThreadWindow = { messages: [], hasOlder: false, hasNewer: false };

/** Those that came by the stream. Each may come twice, and in any order; the one that came last is kept. */
export function follow(window: ThreadWindow, came: readonly Message[], max = windowMax): ThreadWindow {
  if (window.hasNewer) return window;
  const first = window.messages[0]?.seq ?? 0;
  // What is older than the window belongs to a page that is not held.
  const wanted = window.hasOlder ? came.filter(({ seq }) => seq >= first) : came;
  return keepNewest({ ...window, messages: merged(window.messages, wanted) }, max);
}

export interface Page {
  messages: readonly Message[];
  hasMore: boolean;
}

export function addOlder(window: ThreadWindow, { messages, hasMore }: Page, max = windowMax): ThreadWindow {
  const all = merged(messages, window.messages);
  const isCut = all.length > max;
  return {
    messages: isCut ? all.slice(0, max) : all,
    hasOlder: hasMore,
    hasNewer: window.hasNewer || isCut,
  };
}

export function addNewer(window: ThreadWindow, { messages, hasMore }: Page, max = windowMax): ThreadWindow {
  return keepNewest({ ...window, messages: merged(window.messages, messages), hasNewer: hasMore }, max);
}

function keepNewest(window: ThreadWindow, max: number): ThreadWindow {
  if (window.messages.length <= max) return window;
  return { ...window, messages: window.messages.slice(-max), hasOlder: true };
}

function merged(before: readonly Message[], after: readonly Message[]): readonly Message[] {
  if (after.length === 0) return before;
  const last = before.at(-1)?.seq ?? -1;
  if (after.every(({ seq }, index) => seq > (after[index - 1]?.seq ?? last))) return [...before, ...after];
  const bySeq = new Map([...before, ...after].map((message) => [message.seq, message]));
  return [...bySeq.values()].toSorted((a, b) => a.seq - b.seq);
}
