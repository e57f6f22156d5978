// The judge of a fault run: compares what every client says happened with what the hub says is so. Pure; it knows
// nothing of how the run was made, so a history made by hand or by a faulty hub is judged alike.
import { checkEnds, checkHandOuts, checkSends, crossedByAbort } from './check-copies.js';
import { checkFeeds, checkInboxOrder, checkSeqs, checkThreads, checkWaits } from './check-order.js';
import { recordRun, type Run } from './run-record.js';

/** What must never be, and how a table calls it. */
export const faults = {
  lost: 'lost',
  unmarkedDouble: 'unmarked doubles',
  readNeverSeen: 'read, never seen',
  refusedYetStored: 'refused, yet stored',
  duplicateKey: 'duplicate keys',
  repeatedAttempt: 'repeated attempts',
  sumRule: 'sum rule violations',
  unlawfulEnd: 'unlawful ends',
  unfinished: 'not drained',
  orderViolation: 'order violations',
  seqGap: 'gaps in seq',
  feedMismatch: 'feed mismatches',
  threadMismatch: 'thread mismatches',
  lateWait: 'late waits',
} as const;

export type Fault = keyof typeof faults;

export interface Finding {
  fault: Fault;
  /** One sentence a person can follow up. */
  sentence: string;
}

export interface Verdict {
  seed: number;
  isClean: boolean;
  counts: Record<Fault, number> & {
    messages: number;
    copies: number;
    handedOut: number;
    /** Calls whose messages a client saw, and calls whose answer, if any, no client saw. */
    answers: number;
    unanswered: number;
    ok: number;
    failed: number;
    unknown: number;
    marked: number;
    /** Marked as redelivered although the reader had it already: allowed, and worth knowing. */
    needlessMarks: number;
    /** Read and not seen, because an abort crossed the whole answer; the reader finds them when it looks again. */
    crossed: number;
  };
  violations: string[];
}

export function checkRun(run: Run & { seed: number }): Verdict {
  const record = recordRun(run);
  const findings = [
    ...checkSends(record),
    ...checkEnds(record),
    ...checkHandOuts(record),
    ...checkSeqs(record),
    ...checkThreads(record),
    ...checkFeeds(record),
    ...checkInboxOrder(record),
    ...checkWaits(record),
  ];
  const sends = [...record.sends.values()];
  const sightings = [...record.sightings.values()];
  const names = Object.keys(faults) as Fault[];
  const counted = names.map((name) => [name, findings.filter(({ fault }) => fault === name).length]);
  return {
    seed: run.seed,
    isClean: findings.length === 0,
    counts: {
      ...(Object.fromEntries(counted) as Record<Fault, number>),
      messages: run.truth.messages.length,
      copies: run.truth.receipts.length,
      handedOut: sightings.flat().length,
      answers: record.reads.filter(({ copies }) => copies.length > 0).length,
      unanswered: record.reads.filter(({ outcome }) => outcome === 'unknown').length,
      ok: sends.filter(({ outcome }) => outcome === 'ok').length,
      failed: sends.filter(({ outcome }) => outcome === 'fail').length,
      unknown: sends.filter(({ outcome }) => outcome === 'unknown').length,
      marked: sightings.flat().filter(({ copy }) => copy.redelivered).length,
      needlessMarks: sightings.flatMap((times) => times.slice(1)).filter(({ copy }) => copy.redelivered).length,
      crossed: crossedByAbort(record).length,
    },
    violations: findings.map(({ fault, sentence }) => `${faults[fault]}: ${sentence}`),
  };
}

const violationsShown = 20;

export function describeVerdict({ seed, counts, violations }: Verdict): string {
  const { messages, copies, handedOut, answers, unanswered, ok, failed, unknown, marked, needlessMarks, crossed } =
    counts;
  const names = Object.keys(faults) as Fault[];
  const rows: [string, number][] = [
    ['seed', seed],
    ['messages', messages],
    ['copies', copies],
    ['handed out', handedOut],
    ['answers seen', answers],
    ['answers unseen', unanswered],
    ['sends ok', ok],
    ['sends failed', failed],
    ['sends unknown', unknown],
    ['marked redelivered', marked],
    ['needless marks', needlessMarks],
    ['crossed by an abort', crossed],
    ...names.map((name): [string, number] => [faults[name], counts[name]]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const more = violations.length - violationsShown;
  return [
    ...rows.map(([name, count]) => `${name.padEnd(width)}  ${String(count).padStart(7)}`),
    ...violations.slice(0, violationsShown),
    ...(more > 0 ? [`… and ${more} more`] : []),
  ].join('\n');
}
