// A small simulated hub for the checker: senders take their number from a sequence, commit some time later in whatever
// order, and a follower pages by number. Numbered before the commit, a late committer falls behind the follower.
import type { HistoryEvent } from './history.js';
import { SeededRandom } from './load/seeded-random.mjs';
import type { Truth, TruthMessage } from './truth.js';

const messages = 504;
const senders = 8;
const reader = 'reader';

interface Row extends TruthMessage {
  uid: string;
  invokedUs: number;
  committedUs: number;
}

export function runPlainSequence(options: { seed: number; isNumberedAtCommit: boolean }): {
  histories: HistoryEvent[][];
  truth: Truth;
} {
  const rows = commitAll(new SeededRandom(options.seed, 'plain sequence'), options.isNumberedAtCommit);
  const byCommit = rows.toSorted((a, b) => a.committedUs - b.committedUs);
  const bySeq = rows.toSorted((a, b) => a.seq - b.seq);
  return {
    histories: [...sendHistories(rows), readHistory(byCommit), feedHistory(byCommit)],
    truth: {
      messages: bySeq.map(({ id, seq, uid, sender }) => ({ id, seq, uid, sender })),
      receipts: bySeq.map(({ id }) => ({ messageId: id, recipient: reader, state: 'read' })),
      threads: {},
      recent: {},
    },
  };
}

/** Each sender sends one after the other; the numbers rise with the moment the sequence is asked. */
function commitAll(random: SeededRandom, isNumberedAtCommit: boolean): Row[] {
  const drafts = Array.from({ length: senders }, (_, sender) => {
    let clockUs = 0;
    return Array.from({ length: messages / senders }, (__, n) => {
      const invokedUs = clockUs + random.whole(1, 1_000);
      const askedUs = invokedUs + random.whole(1, 200);
      const committedUs = askedUs + random.whole(1, 5_000);
      clockUs = committedUs + 10;
      return { uid: `s${sender}-${n}`, sender: `s${sender}`, invokedUs, askedUs, committedUs };
    });
  }).flat();
  const numbered = drafts.toSorted((a, b) => {
    return isNumberedAtCommit ? a.committedUs - b.committedUs : a.askedUs - b.askedUs;
  });
  return numbered.map(({ uid, sender, invokedUs, committedUs }, index) => {
    return { uid, sender, invokedUs, committedUs, id: `m-${uid}`, seq: index + 1 };
  });
}

function sendHistories(rows: readonly Row[]): HistoryEvent[][] {
  const names = [...new Set(rows.map(({ sender }) => sender))];
  return names.map((name) => {
    const own = rows.filter(({ sender }) => sender === name).toSorted((a, b) => a.invokedUs - b.invokedUs);
    return own.flatMap(({ uid, id, seq, invokedUs, committedUs }, call): HistoryEvent[] => {
      const base = { process: name, call, hub: 'simulated', operation: 'send_message' };
      return [
        { ...base, type: 'invoke', atUs: invokedUs, args: { uid, key: uid, to: [reader] } },
        { ...base, type: 'ok', atUs: committedUs + 5, result: { id, seq } },
      ];
    });
  });
}

/** The inbox is not at fault: every copy is handed out once. */
function readHistory(rows: readonly Row[]): HistoryEvent[] {
  return rows.flatMap(({ id, seq, uid, committedUs }, call): HistoryEvent[] => {
    const base = { process: reader, call, hub: 'simulated', operation: 'get_messages' };
    return [
      // One call overlaps the next, so nothing is promised about the order from answer to answer.
      { ...base, type: 'invoke', atUs: committedUs, args: { agent: reader } },
      { ...base, type: 'ok', atUs: committedUs + 10_000, copies: [{ id, seq, uid }] },
    ];
  });
}

/** Looks at every commit, and reads on after the highest number it has. */
function feedHistory(byCommit: readonly Row[]): HistoryEvent[] {
  const base = { process: 'follower', call: 1, hub: 'simulated', operation: 'feed' };
  const events: HistoryEvent[] = [{ ...base, type: 'invoke', atUs: 0, args: { after: 0 } }];
  let after = 0;
  for (const [index, { committedUs }] of byCommit.entries()) {
    const page = byCommit.slice(0, index + 1).filter(({ seq }) => seq > after);
    const copies = page.map(({ id, seq, uid }) => ({ id, seq, uid })).toSorted((a, b) => a.seq - b.seq);
    if (copies.length === 0) continue;
    after = copies.at(-1)?.seq ?? after;
    events.push({ ...base, type: 'ok', atUs: committedUs, copies });
  }
  return events;
}
