// Counters, gauges and histograms in the Prometheus text format.
import type { Metrics } from '../ports/metrics.js';
import type { Tallies } from '../ports/store.js';

const bucketsMs = [0.5, 1, 2, 5, 10, 20, 50, 100, 250, 500, 1000, 2500, 5000, 10_000];
const bucketsCount = [1, 2, 4, 8, 16, 32, 64, 128];

class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #total = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
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
    const rows = this.#bounds.map((bound, index) => `${name}_bucket{le="${bound}"} ${this.#counts[index] ?? 0}`);
    return [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} histogram`,
      ...rows,
      `${name}_bucket{le="+Inf"} ${this.#total}`,
      `${name}_sum ${this.#sum}`,
      `${name}_count ${this.#total}`,
    ].join('\n');
  }
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
  #sends = 0;
  #copies = 0;
  #waits = 0;
  #redelivered = 0;
  #replayed = 0;
  #hasOtherSecret = false;

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

  pushEnded(kind: string, result: string): void {
    add(this.#pushes, `kind="${kind}",result="${result}"`, 1);
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
      counter('coterie_copies_ended_total', 'Copies that ended, by state.', labelled('state', this.#ended)),
      counter('coterie_copies_returned_total', 'Copies handed out and taken back.', this.#redelivered),
      counter('coterie_copies_replayed_total', 'Ended copies that were opened again.', this.#replayed),
      counter('coterie_keys_refused_total', 'Requests without a valid key.', labelled('reason', this.#keysRefused)),
      counter('coterie_audit_entries_total', 'Audit entries stored.', labelled('act', this.#audited)),
      gauge(
        'coterie_hub_secret_mismatch',
        '1 if the database was used with another hub secret.',
        Number(this.#hasOtherSecret),
      ),
      counter('coterie_pushes_total', 'Pushes to people, by kind of channel and result.', this.#pushes),
      ...(tallies === null ? [] : talliesOf(tallies)),
      gauge('coterie_resident_bytes', 'Memory of the process.', process.memoryUsage().rss),
    ].join('\n')}\n`;
  }
}

function talliesOf({ pending, delivered, messages, agents, threads, pushes }: Totals): string[] {
  return [
    gauge('coterie_deliveries', 'Copies not yet ended, by state.', [
      ['state="pending"', pending],
      ['state="delivered"', delivered],
    ]),
    gauge('coterie_messages', 'Messages ever stored.', messages),
    gauge('coterie_agents', 'Agents registered.', agents),
    gauge('coterie_threads', 'Threads.', threads),
    gauge('coterie_pushes_waiting', 'Pushes in the outbox.', pushes.waiting),
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
