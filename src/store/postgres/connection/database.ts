// Runs each command in its own transaction. Retries after conflicts and while the database is unavailable, and resolves
// the outcome of commits whose connection was lost.
import { randomInt } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { HubError } from '../../../contract/errors.js';
import type { CommitNews } from '../../../ports/store.js';
import {
  isConflict,
  isFull,
  isLost,
  isUnstorable,
  notStored,
  outcomeUnknown,
  storeFull,
  unstorable,
} from './faults.js';
import { HubMemory } from './hub-memory.js';
import { terminateBackend } from './terminate-backend.js';
import { OrderQueue } from './order-queue.js';
import { lockOrder } from '../session/sessions.js';
import { OrderNeeded, Tx } from './transaction.js';

export interface DatabaseOptions {
  pool: Pool;
  /** For queries about lost connections, which still occupy their slots in the main pool. */
  sparePool: Pool;
  usesHubTime: boolean;
  /** How long a call is retried while the database is unavailable. */
  timeoutMs: number;
  onNotices: (notices: readonly CommitNews[]) => void;
}

/**
 * durable: answered after fsync; if the connection is lost at the commit, the outcome is resolved. flushed: answered after
 * fsync. relaxed: may be lost when the server crashes, which costs at most a marked redelivery.
 */
export type CommitDurability = 'durable' | 'flushed' | 'relaxed';

export interface WriteOptions {
  commit: CommitDurability;
  /** The sessions whose order lock is held from the start. */
  ordered: readonly string[];
  /** Checks by what it wrote whether it was committed; for flushed commands that must not run twice. */
  isDone?: (tx: Tx) => Promise<boolean>;
}

type CommitOptions = Omit<WriteOptions, 'ordered'>;

type Run<Result> = (tx: Tx) => Promise<Result>;

/** The default is the main pool and the timeout of a call. */
interface Using {
  pool: Pool;
  deadline?: number;
}

/** One attempt of a call: its connection and the deadline of the call. */
interface Attempt {
  client: PoolClient;
  deadline: number;
}

const pauseMs = 100;
const conflictsMax = 20;
/** The outcome of a commit is queried for at least this long, even after the deadline of the call. */
const resolveMsMin = 3_000;

export class Database {
  readonly #options: DatabaseOptions;
  readonly memory = new HubMemory();
  readonly #orderQueue = new OrderQueue();
  #isClosing = false;

  constructor(options: DatabaseOptions) {
    this.#options = options;
  }

  get usesHubTime(): boolean {
    return this.#options.usesHubTime;
  }

  /** All statements see one snapshot. */
  read<Result>(run: Run<Result>, using?: Using): Promise<Result> {
    return this.#withRetries(async (client) => {
      const tx = this.transaction(client);
      try {
        await tx.begin('isolation level repeatable read read only');
        const result = await run(tx);
        // There is nothing to commit.
        await tx.control('rollback');
        return result;
      } catch (error) {
        if (!losesConnection(error)) await tx.control('rollback');
        throw error;
      }
    }, using);
  }

  /** Without a transaction, for one statement. */
  look<Result>(run: Run<Result>): Promise<Result> {
    return this.#withRetries((client) => run(this.transaction(client)));
  }

  /**
   * One statement that commits by itself. If its answer is lost, it is undone once it can no longer take effect, and
   * retried.
   */
  once<Result>(run: Run<Result>, undo: Run<void>): Promise<Result> {
    return this.#withRetries(async (client, deadline) => {
      try {
        return await run(this.transaction(client));
      } catch (error) {
        if (!isLost(error)) throw error;
        await this.resolveOutcome({ client, deadline }, () => Promise.resolve());
        await this.write({ commit: 'flushed', ordered: [] }, undo, { pool: this.#options.sparePool });
        throw error;
      }
    });
  }

  write<Result>(options: WriteOptions, run: Run<Result>, using?: Using): Promise<Result> {
    const deadline = performance.now() + this.#options.timeoutMs;
    const write = (by = using) =>
      this.#withRetries((client, until) => this.#writeOnce(options, run, { client, deadline: until }), by);
    const [sessionId] = options.ordered;
    if (sessionId === undefined) return write();
    return this.#orderQueue.take(sessionId, () => {
      if (performance.now() > deadline) throw notStored(new Error(`the order of session ${sessionId} is locked`));
      return write({ pool: this.#options.pool, deadline });
    });
  }

  transaction(client: PoolClient): Tx {
    return new Tx(client, { memory: this.memory, usesHubTime: this.usesHubTime, origin: newOrigin() });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([this.#options.pool.end(), this.#options.sparePool.end()]);
  }

  async #writeOnce<Result>({ ordered, ...options }: WriteOptions, run: Run<Result>, attempt: Attempt): Promise<Result> {
    const tx = this.transaction(attempt.client);
    try {
      await tx.begin('', options.commit === 'relaxed' ? ' set local synchronous_commit = off;' : '');
      for (const sessionId of ordered.toSorted()) await lockOrder(tx, sessionId);
      const result = await run(tx);
      await this.#commit(tx, options, attempt);
      if (tx.notices.length > 0) this.#options.onNotices(tx.notices);
      return result;
    } catch (error) {
      if (!losesConnection(error)) await tx.control('rollback');
      if (error instanceof OrderNeeded) {
        const also = [...new Set([...ordered, error.sessionId])];
        return await this.#writeOnce({ ...options, ordered: also }, run, attempt);
      }
      throw error;
    } finally {
      tx.forgetChanged();
    }
  }

  /** If the connection is lost during the commit, the outcome is resolved. */
  async #commit(tx: Tx, { commit, isDone }: CommitOptions, attempt: Attempt): Promise<void> {
    const isDurable = commit === 'durable' || tx.notices.length > 0;
    const evidence = isDurable ? await insertMarkIfWritten(tx) : isDone;
    try {
      // Messages from `system` must be on disk before anyone sees them.
      await tx.control(isDurable ? 'set local synchronous_commit = on; commit' : 'commit');
    } catch (error) {
      if (isLost(error) && evidence === undefined) void this.#terminateAbandoned(attempt.client);
      if (!isLost(error) || evidence === undefined || !(await this.resolveOutcome(attempt, evidence))) throw error;
    }
  }

  /** Frees the locks of a transaction that nobody waits for. Tried once; errors are ignored. */
  async #terminateAbandoned(client: PoolClient): Promise<void> {
    const using = { pool: this.#options.sparePool, deadline: 0 };
    await this.#withRetries((other) => terminateBackend(this.transaction(other), client), using).catch(() => {});
  }

  /**
   * Resolves the outcome of a commit whose connection was lost: waits until that connection can store nothing more, then
   * reads. Throws CommitUnknown when that takes too long. The read is followed by a commit of its own: with a synchronous
   * standby, an interrupted commit is visible before it is replicated, and known to be replicated after a later one is.
   */
  async resolveOutcome<Result>({ client, deadline }: Attempt, read: Run<Result>): Promise<Result> {
    const until = Math.max(deadline, performance.now() + resolveMsMin);
    const using = { pool: this.#options.sparePool, deadline: until };
    try {
      while (!(await this.#withRetries((other) => terminateBackend(this.transaction(other), client), using))) {
        if (performance.now() > until) throw new Error('the lost connection is still active');
        await pause();
      }
      const readAndCommit = async (tx: Tx) => {
        const found = await read(tx);
        await insertMark(tx);
        return found;
      };
      return await this.write({ commit: 'flushed', ordered: [] }, readAndCommit, using);
    } catch (error) {
      throw new CommitUnknown(error);
    }
  }

  /** Retries only after errors that mean that nothing was stored. */
  async #withRetries<Result>(
    use: (client: PoolClient, deadline: number) => Promise<Result>,
    { pool, deadline = performance.now() + this.#options.timeoutMs }: Using = { pool: this.#options.pool },
  ): Promise<Result> {
    for (let conflicts = 0; ;) {
      // What still runs in the background of a hub that stops: a closed pool takes no more calls.
      if (this.#isClosing) throw notStored(new Error('the store is closed'));
      try {
        return await withClient(pool, (client) => use(client, deadline));
      } catch (error) {
        const isTransient = isLost(error) || (isConflict(error) && conflicts++ < conflictsMax);
        const mayRetry = isTransient && performance.now() < deadline;
        if (!mayRetry) throw asHubError(error);
        if (isLost(error)) await pause();
      }
    }
  }
}

async function withClient<Result>(pool: Pool, use: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let fault: unknown;
  try {
    return await use(client);
  } catch (error) {
    fault = error;
    throw error;
  } finally {
    client.release(losesConnection(fault));
  }
}

/** The connection is lost and its transaction ends by itself; a rollback would only wait for a timeout. */
function losesConnection(error: unknown): boolean {
  return isLost(error) || error instanceof CommitUnknown;
}

/**
 * Inserts a mark that is committed with the transaction. Returns how to check for it, or undefined if the transaction wrote
 * nothing. The transaction id is no substitute: after a crash, the server assigns lost ids again.
 */
async function insertMarkIfWritten(tx: Tx): Promise<Run<boolean> | undefined> {
  const { origin } = tx;
  const marks = await tx.run(
    `insert into commit_mark (origin, at) select ?, hub_time() where pg_current_xact_id_if_assigned() is not null`,
    [origin],
  );
  if (marks === 0) return undefined;
  return async (later) => (await later.get('select 1 from commit_mark where origin = ?', [origin])) !== undefined;
}

/** The reaper deletes it like any other mark. */
function insertMark(tx: Tx): Promise<number> {
  return tx.run('insert into commit_mark (origin, at) values (?, hub_time())', [tx.origin]);
}

/** The connection was lost at the commit, and the outcome could not be resolved in time. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('the outcome of a commit is unknown', { cause });
  }
}

export function asHubError(error: unknown): unknown {
  if (error instanceof HubError) return error;
  if (error instanceof CommitUnknown) return outcomeUnknown(error);
  if (isFull(error)) return storeFull(error);
  if (isUnstorable(error)) return unstorable(error);
  return isLost(error) || isConflict(error) ? notStored(error) : error;
}

function newOrigin(): number {
  return randomInt(2 ** 47);
}

export function pause(ms = pauseMs): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
