// Counters, gauges and histograms in the Prometheus text format.
import { limits } from '../contract/limits.js';
import type { Metrics } from '../ports/metrics.js';
import type { Tallies } from '../ports/store.js';

const bucketsMs = [0.5, 1, 2, 5, 10, 20, 50, 100, 250, 500, 1000, 2500, 5000, 10_000];
const bucketsSeconds = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600];
const bucketsCount = [1, 2, 4, 8, 16, 32, 64, 128];

class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  readonly #labels: string;
  #sum = 0;
  #total = 0;

  constructor(bounds: readonly number[], labels = '') {
    this.#bounds = bounds;
    this.#labels = labels;
    this.#counts = bounds.map(() => 0);
  }

  observe(value: number): void {
    this.#sum += value;
    this.#total += 1;
    for (const [index, bound] of this.#bounds.entries()) {
      if (value <= bound) this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    }
  }

  render(name: string, help: string): string {
    return [...headOf(name, help), ...this.lines(name)].join('\n');
  }

  lines(name: string): string[] {
    const labels = this.#labels;
    const within = (bound: number | string) => `{${labels === '' ? '' : `${labels},`}le="${bound}"}`;
    const rows = this.#bounds.map((bound, index) => `${name}_bucket${within(bound)} ${this.#counts[index] ?? 0}`);
    const suffix = labels === '' ? '' : `{${labels}}`;
    return [
      ...rows,
      `${name}_bucket${within('+Inf')} ${this.#total}`,
      `${name}_sum${suffix} ${this.#sum}`,
      `${name}_count${suffix} ${this.#total}`,
    ];
  }
}

function headOf(name: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`];
}

export interface Totals extends Tallies {
  pushes: { waiting: number; oldestSeconds: number };
}

export class PrometheusMetrics implements Metrics {
  readonly #operations = new Map<string, number>();
  readonly #operationMs = new Histogram(bucketsMs);
  readonly #wakeMs = new Histogram(bucketsMs);
  readonly #batchSize = new Histogram(bucketsCount);
  readonly #batchMs = new Histogram(bucketsMs);
  readonly #readMs = new Histogram(bucketsMs);
  readonly #ended = new Map<string, number>([
    ['read', 0],
    ['expired', 0],
    ['dead_lettered', 0],
  ]);
  readonly #keysRefused = new Map(
    ['missing', 'malformed', 'unknown', 'revoked', 'expired'].map((reason) => [reason, 0]),
  );
  readonly #audited = new Map<string, number>();
  readonly #pushes = new Map<string, number>();
  readonly #wakeAttempts = new Map<string, number>();
  readonly #wakeSeconds = new Map<string, Histogram>();
  #sends = 0;
  #copies = 0;
  #waits = 0;
  #readsQueued = 0;
  #redelivered = 0;
  #replayed = 0;
  #hasOtherSecret = false;
  #isStoreRefusing = false;

  countOperation(operation: string, outcome: string, durationMs: number): void {
    add(this.#operations, `operation="${operation}",outcome="${outcome}"`, 1);
    this.#operationMs.observe(durationMs);
  }

  countSend(copies: number): void {
    this.#sends += 1;
    this.#copies += copies;
  }

  waitParked(change: 1 | -1): void {
    this.#waits += change;
  }

  wakeTook(ms: number): void {
    this.#wakeMs.observe(ms);
  }

  batchCommitted(commands: number, ms: number): void {
    this.#batchSize.observe(commands);
    this.#batchMs.observe(ms);
  }

  readTook(ms: number, queued: number): void {
    this.#readMs.observe(ms);
    this.#readsQueued = queued;
  }

  copiesEnded(state: 'read' | 'expired' | 'dead_lettered', count: number): void {
    add(this.#ended, state, count);
  }

  redelivered(count: number): void {
    this.#redelivered += count;
  }

  copyReplayed(): void {
    this.#replayed += 1;
  }

  keyRefused(reason: string): void {
    add(this.#keysRefused, reason, 1);
  }

  auditStored(act: string): void {
    add(this.#audited, act, 1);
  }

  secretMismatch(isMismatch: boolean): void {
    this.#hasOtherSecret = isMismatch;
  }

  storeRefuses(isRefusing: boolean): void {
    this.#isStoreRefusing = isRefusing;
  }

  pushEnded(kind: string, result: string): void {
    add(this.#pushes, `kind="${kind}",result="${result}"`, 1);
  }

  wakeAttempt(kind: string, state: string, confirmedMs: number | null): void {
    add(this.#wakeAttempts, `kind="${kind}",state="${state}"`, 1);
    if (confirmedMs === null) return;
    const seconds = this.#wakeSeconds.get(kind) ?? new Histogram(bucketsSeconds, `kind="${kind}"`);
    this.#wakeSeconds.set(kind, seconds);
    seconds.observe(confirmedMs / 1_000);
  }

  /** Null when the store does not answer: the other metrics are needed most then. */
  render(tallies: Totals | null): string {
    return `${[
      counter('coterie_operations_total', 'Calls by operation and outcome.', this.#operations),
      this.#operationMs.render('coterie_operation_ms', 'Time from a call to its answer, waits included.'),
      counter('coterie_sends_total', 'Messages stored.', this.#sends),
      counter('coterie_copies_total', 'Copies made for recipients.', this.#copies),
      gauge('coterie_waits_parked', 'Waits parked now.', this.#waits),
      this.#wakeMs.render('coterie_wake_ms', 'Time from a signal to the woken wait’s answer.'),
      this.#batchSize.render('coterie_commit_batch_commands', 'Commands per commit.'),
      this.#batchMs.render('coterie_commit_ms', 'Time of a commit batch.'),
      this.#readMs.render('coterie_read_ms', 'Time of a long read on SQLite.'),
      gauge('coterie_reads_queued', 'Long reads on SQLite that wait for their turn.', this.#readsQueued),
      counter('coterie_copies_ended_total', 'Copies that ended, by state.', labelled('state', this.#ended)),
      counter('coterie_copies_returned_total', 'Copies handed out and taken back.', this.#redelivered),
      counter('coterie_copies_replayed_total', 'Ended copies that were opened again.', this.#replayed),
      counter('coterie_keys_refused_total', 'Requests without a valid key.', labelled('reason', this.#keysRefused)),
      counter('coterie_audit_entries_total', 'Audit entries stored.', labelled('act', this.#audited)),
      gauge('coterie_store_refuses_writes', '1 while the disk is full or fails.', Number(this.#isStoreRefusing)),
      gauge(
        'coterie_hub_secret_mismatch',
        '1 if the database was used with another hub secret.',
        Number(this.#hasOtherSecret),
      ),
      counter('coterie_pushes_total', 'Pushes to people, by kind of channel and result.', this.#pushes),
      counter('coterie_wake_attempts_total', 'Attempts to wake agents, by route and state.', this.#wakeAttempts),
      ...headOf('coterie_wake_confirmed_seconds', 'Time from a wake to the agent’s call, by route.'),
      ...[...this.#wakeSeconds.values()].flatMap((seconds) => seconds.lines('coterie_wake_confirmed_seconds')),
      ...(tallies === null ? [] : talliesOf(tallies)),
      gauge('coterie_resident_bytes', 'Memory of the process.', process.memoryUsage().rss),
    ].join('\n')}\n`;
  }
}

function talliesOf({ pending, delivered, messages, agents, threads, pushes }: Totals): string[] {
  const counted = `counted up to ${limits.totals}`;
  return [
    gauge('coterie_deliveries', `Copies not yet ended, by state, ${counted}.`, [
      ['state="pending"', pending],
      ['state="delivered"', delivered],
    ]),
    gauge('coterie_messages', 'Messages ever stored.', messages),
    gauge('coterie_agents', `Agents registered, ${counted}.`, agents),
    gauge('coterie_threads', `Threads, ${counted}.`, threads),
    gauge('coterie_pushes_waiting', `Pushes in the outbox, ${counted}.`, pushes.waiting),
    gauge('coterie_push_oldest_due_seconds', 'How long the first of them has been due.', pushes.oldestSeconds),
  ];
}

function add(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function labelled(name: string, counts: Iterable<[string, number]>): [string, number][] {
  return [...counts].map(([value, count]) => [`${name}="${value}"`, count]);
}

type Value = number | Iterable<[labels: string, value: number]>;

function counter(name: string, help: string, value: Value): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} counter`, ...linesOf(name, value)].join('\n');
}

function gauge(name: string, help: string, value: Value): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...linesOf(name, value)].join('\n');
}

function linesOf(name: string, value: Value): string[] {
  if (typeof value === 'number') return [`${name} ${value}`];
  return [...value].map(([labels, count]) => `${name}{${labels}} ${count}`);
}
