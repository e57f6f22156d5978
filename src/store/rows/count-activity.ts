// Counts messages by time and by pair. Pure: both stores count with it, and hand over only the numbers.
import type { Activity, ActivityQuery } from '../../ports/history.js';

/** The newest messages that one answer examines, whatever else is stored. */
export const examinedMax = 5_000;
/** Of the JSON list of recipients: a longer one is a broadcast, of which only the number counts. */
export const recipientCharsMax = 1_000;
const pairsMax = 200;

export interface ActivityRow {
  sender: string;
  at: number;
  /** Empty if there are too many. */
  recipients: readonly string[];
  copies: number;
}

/** `rows` are those that the reader may read; `isCut` if older ones were not examined, `oldestAt` where it ended. */
export function countActivity(
  rows: readonly ActivityRow[],
  { since, until, buckets }: ActivityQuery,
  { isCut, oldestAt }: { isCut: boolean; oldestAt: number },
): Activity {
  const sent = Array.from({ length: buckets }, () => 0);
  const copies = Array.from({ length: buckets }, () => 0);
  const pairs = new Map<string, { from: string; to: string; messages: number }>();
  for (const row of rows) {
    if (row.at < since || row.at > until) continue;
    const place = Math.min(buckets - 1, Math.floor(((row.at - since) * buckets) / Math.max(1, until - since)));
    sent[place] = (sent[place] ?? 0) + 1;
    copies[place] = (copies[place] ?? 0) + row.copies;
    for (const to of row.recipients) addPair(pairs, row.sender, to);
  }
  const loudest = [...pairs.values()].toSorted((a, b) => b.messages - a.messages || (a.from < b.from ? -1 : 1));
  return { sent, copies, pairs: loudest.slice(0, pairsMax), countedSince: isCut && oldestAt > since ? oldestAt : null };
}

function addPair(pairs: Map<string, { from: string; to: string; messages: number }>, from: string, to: string): void {
  const key = `${from} ${to}`;
  const known = pairs.get(key);
  if (known === undefined) pairs.set(key, { from, to, messages: 1 });
  else known.messages += 1;
}
