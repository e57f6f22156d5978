// What a part of a session has: pairs of writers and readers, and threads, the most talkative first. Pure.
import type { Message } from '../../data/types.js';
import { recipientsOf } from '../thread/recipients.js';

const listedMax = 8;

export interface Pair {
  from: string;
  to: string;
  count: number;
}

export function pairsIn(messages: readonly Message[]): Pair[] {
  const pairs = new Map<string, Pair>();
  for (const message of messages) {
    const from = message.sender;
    for (const to of recipientsOf(message).names) {
      const key = `${from} ${to}`;
      const known = pairs.get(key) ?? { from, to, count: 0 };
      pairs.set(key, { ...known, count: known.count + 1 });
    }
  }
  return mostFirst([...pairs.values()]);
}

export function threadsIn(messages: readonly Message[]): { threadId: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { threadId } of messages)
    if (threadId !== undefined) counts.set(threadId, (counts.get(threadId) ?? 0) + 1);
  return mostFirst([...counts].map(([threadId, count]) => ({ threadId, count })));
}

function mostFirst<Counted extends { count: number }>(all: readonly Counted[]): Counted[] {
  return all.toSorted((a, b) => b.count - a.count).slice(0, listedMax);
}
