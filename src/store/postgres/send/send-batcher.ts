// Batches sends: what arrives while a batch is in flight is the next batch. One batch at a time, so that the messages of a
// session, which all go through one batcher, keep their order. No timer, unless other hubs write to the same sessions.
import type { Pool, PoolClient } from 'pg';
import { HubError } from '../../../contract/errors.js';
import type { AppendResult, SendPlan } from '../../../ports/store.js';
import { appendMessage } from '../../rules/append-message.js';
import { runAwaited } from '../../rules/steps.js';
import { appendBatch, type AppendOutcome } from './append-batch.js';
import { asHubError, CommitUnknown, pause, type Database } from '../connection/database.js';
import { isConflict, isLockTimeout, isLost } from '../connection/faults.js';
import { undoClaim, type HandOver } from '../inbox/hand-over.js';
import type { Tx } from '../connection/transaction.js';
import { planByMemory, planForBatch, type Planned } from './plan-batch.js';
import { resolveLostBatch, type LostBatch } from './resolve-lost-batch.js';

interface Waiting {
  plan: SendPlan;
  /** How often its plan was stale. */
  staleTimes: number;
  /** Until then it is retried while the database is unavailable. */
  deadline: number;
  resolve: (result: AppendResult) => void;
  reject: (error: unknown) => void;
}

interface LostSends {
  lost: Omit<LostBatch, 'deadline'>;
  planned: readonly { waiting: Waiting }[];
  batch: Set<Waiting>;
}

export interface SendBatcherOptions {
  database: Database;
  pool: Pool;
  timeoutMs: number;
  handOver: HandOver;
  onBatch: (sends: number, ms: number) => void;
}

const batchMax = 128;
/** Then it is sent under the order lock, where the session cannot change. */
const staleTimesMax = 3;
/**
 * Hubs that write to one session wait for each other's commits, so what counts is how many messages a commit has. The callers
 * of the last batch are about to send again: after a short pause they share the next one.
 */
const gatherMs = 1;

export class SendBatcher {
  readonly #options: SendBatcherOptions;
  #queue: Waiting[] = [];
  #running: Promise<void> | undefined;
  /** Other hubs stored messages in a session of the last batch, just before it. */
  #isContended = false;

  constructor(options: SendBatcherOptions) {
    this.#options = options;
  }

  append(plan: SendPlan): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + this.#options.timeoutMs;
      this.#queue.push({ plan, staleTimes: 0, deadline, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Waits until all sends are answered. */
  async drained(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    // Sends of the same turn of the event loop go into one batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#queue.length > 0) {
      if (this.#isContended) await new Promise((resolve) => setTimeout(resolve, gatherMs));
      await this.#runBatch(this.#takeBatch());
    }
    this.#running = undefined;
  }

  /** A second send with the same key waits for the outcome of the first. */
  #takeBatch(): Waiting[] {
    const keys = new Set<string>();
    const taken: Waiting[] = [];
    const left: Waiting[] = [];
    for (const waiting of this.#queue) {
      const { sessionId, sender, key } = waiting.plan;
      const name = key === null ? null : JSON.stringify([sessionId, sender, key.key]);
      if (taken.length >= batchMax || (name !== null && keys.has(name))) left.push(waiting);
      else taken.push(waiting);
      if (name !== null) keys.add(name);
    }
    this.#queue = left;
    return taken;
  }

  async #runBatch(taken: Waiting[]): Promise<void> {
    const started = performance.now();
    const batch = new Set(taken);
    try {
      await this.#withClient((client) => this.#append(client, batch));
      this.#options.onBatch(taken.length, performance.now() - started);
    } catch (error) {
      // None of the sends still in the batch was stored.
      if (isLost(error) || (isConflict(error) && !isLockTimeout(error))) await this.#retry([...batch], error);
      // One of them may be unstorable, or in a session whose order is locked: each is sent alone.
      else for (const waiting of batch) this.#appendUnderLock(waiting);
    }
  }

  async #retry(batch: readonly Waiting[], error: unknown): Promise<void> {
    const now = performance.now();
    const again = batch.filter(({ deadline }) => now < deadline);
    for (const waiting of batch) if (waiting.deadline <= now) waiting.reject(asHubError(error));
    this.#queue.unshift(...again);
    if (again.length > 0) await pause();
  }

  /** Removes from the batch the sends that need no retry. */
  async #append(client: PoolClient, batch: Set<Waiting>): Promise<void> {
    const { database } = this.#options;
    const tx = database.transaction(client);
    const planned: { waiting: Waiting; send: Planned }[] = [];
    for (const waiting of Array.from(batch)) {
      const mayTake = waiting.staleTimes < staleTimesMax;
      const remembered = mayTake ? planByMemory(database.memory, waiting.plan) : undefined;
      const send = remembered ?? (mayTake ? await planForBatch(tx, waiting.plan) : null);
      if (send !== null) planned.push({ waiting, send });
      else {
        batch.delete(waiting);
        this.#appendUnderLock(waiting);
      }
    }
    if (planned.length === 0) return;
    const sends = planned.map(({ send }) => send);
    const sessions = sends.map(({ plan }) => plan.sessionId);
    // Read before the batch is sent: other hubs may store higher seqs meanwhile.
    const seen = new Map(sessions.map((sessionId) => [sessionId, database.memory.lastSeq(sessionId)]));
    const outcomes = await this.#appendAndHandOver(tx, sends).catch((error: unknown) =>
      this.#resolveLost(error, { lost: { client, origin: tx.origin, sends, seen }, planned, batch }),
    );
    this.#isContended = wroteOthers(sessions, outcomes, seen);
    const again = planned.flatMap(({ waiting }, index) => {
      batch.delete(waiting);
      return this.#answer(waiting, outcomes[index] ?? 'stale');
    });
    this.#queue.unshift(...again);
  }

  /** Copies for parked waits are leased with the batch. If it is not known which, those leases are undone. */
  async #appendAndHandOver(tx: Tx, sends: readonly Planned[]): Promise<AppendOutcome[]> {
    const { handOver, database } = this.#options;
    const claim = handOver.claim(sends);
    if (claim === undefined) return (await appendBatch(tx, sends)).outcomes;
    const undo = () => database.write({ commit: 'flushed', ordered: [] }, (other) => undoClaim(other, claim));
    try {
      const { outcomes, leased } = await appendBatch(tx, sends, claim);
      await handOver.deliver(tx, claim, leased).then(
        claim.end,
        () =>
          void undo()
            .catch(() => {})
            .finally(claim.end),
      );
      return outcomes;
    } catch (error) {
      if (isLost(error))
        void undo()
          .catch(() => {})
          .finally(claim.end);
      else claim.end();
      throw error;
    }
  }

  /** If the connection was lost, resolves the outcome of the batch. */
  async #resolveLost(error: unknown, { lost, planned, batch }: LostSends): Promise<AppendOutcome[]> {
    if (!isLost(error)) throw error;
    try {
      const deadline = Math.max(...planned.map(({ waiting }) => waiting.deadline));
      const outcomes = await resolveLostBatch(this.#options.database, { ...lost, deadline });
      if (outcomes === 'not stored') throw error;
      return outcomes;
    } catch (unknown) {
      if (!(unknown instanceof CommitUnknown)) throw unknown;
      for (const { waiting } of planned) {
        batch.delete(waiting);
        waiting.reject(asHubError(unknown));
      }
      throw error;
    }
  }

  /** Answers the send, or returns it for the next batch. */
  #answer(waiting: Waiting, outcome: AppendOutcome): Waiting[] {
    if (outcome === 'held back') return [waiting];
    if (outcome === 'stale') {
      // The session has changed: the send is planned again with its current facts.
      this.#options.database.memory.forget(waiting.plan.sessionId);
      return [{ ...waiting, staleTimes: waiting.staleTimes + 1 }];
    }
    if (outcome instanceof HubError) waiting.reject(outcome);
    else waiting.resolve(outcome);
    return [];
  }

  #appendUnderLock({ plan, resolve, reject }: Waiting): void {
    this.#options.database
      .write({ commit: 'durable', ordered: [plan.sessionId] }, (tx) => runAwaited(appendMessage(tx.statements, plan)))
      .then(resolve, reject);
  }

  async #withClient(use: (client: PoolClient) => Promise<void>): Promise<void> {
    const client = await this.#options.pool.connect();
    let isBroken = false;
    try {
      await use(client);
    } catch (error) {
      isBroken = isLost(error);
      throw error;
    } finally {
      client.release(isBroken);
    }
  }
}

/** Whether a session of the batch has messages that this hub has not stored: its seqs continue later than expected. */
function wroteOthers(
  sessions: readonly string[],
  outcomes: readonly AppendOutcome[],
  seen: ReadonlyMap<string, number>,
): boolean {
  const expected = new Map(seen);
  for (const [index, outcome] of outcomes.entries()) {
    if (typeof outcome === 'string' || !('appended' in outcome) || outcome.appended.duplicate) continue;
    const sessionId = sessions[index] ?? '';
    const before = expected.get(sessionId) ?? 0;
    if (before > 0 && outcome.appended.seq > before + 1) return true;
    expected.set(sessionId, outcome.appended.seq);
  }
  return false;
}
