// Runs commands on the database: each in a transaction of its own, again when another got in its way, and with patience
// while the database is away.
import { randomInt } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { HubError } from '../../../contract/errors.js';
import type { Appended } from '../../../ports/store.js';
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
import { isGone } from './lost-connection.js';
import { OrderQueue } from './order-queue.js';
import { lockOrder } from '../session/sessions.js';
import { OrderNeeded, Tx } from './transaction.js';

export interface DatabaseOptions {
  pool: Pool;
  /** For questions about connections that broke, while these still hold their place in the pool. */
  sparePool: Pool;
  usesHubTime: boolean;
  /** How long a call waits for a database that is away. */
  timeoutMs: number;
  onNotices: (notices: readonly { sessionId: string; appended: Appended }[]) => void;
}

/**
 * settled: answered after it is on disk, and known even if the connection breaks at the commit. flushed: answered after it
 * is on disk. relaxed: what is lost when the server dies costs a marked redelivery at most.
 */
export type CommitDurability = 'settled' | 'flushed' | 'relaxed';

export interface WriteOptions {
  commit: CommitDurability;
  /** The sessions whose order is held from the start. */
  ordered: readonly string[];
  /** Whether it was committed, by what it wrote; for what is no more than flushed, and must not run twice. */
  isDone?: (tx: Tx) => Promise<boolean>;
}

type CommitOptions = Omit<WriteOptions, 'ordered'>;

type Run<Result> = (tx: Tx) => Promise<Result>;

/** Otherwise the pool of all calls, for as long as a call has patience. */
interface Using {
  pool: Pool;
  deadline?: number;
}

const pauseMs = 100;
const conflictsMax = 20;
/** What became of a commit is asked for at least so long, even if the call's time is over. */
const settleMsMin = 3_000;

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

  /** One consistent view of everything. */
  read<Result>(run: Run<Result>, using?: Using): Promise<Result> {
    return this.#patiently(async (client) => {
      const tx = this.transaction(client);
      try {
        await tx.begin('isolation level repeatable read read only');
        const result = await run(tx);
        // There is nothing to commit.
        await tx.control('rollback');
        return result;
      } catch (error) {
        if (!isGoneFrom(error)) await tx.control('rollback');
        throw error;
      }
    }, using);
  }

  /** A question of one statement needs no transaction. */
  look<Result>(run: Run<Result>): Promise<Result> {
    return this.#patiently((client) => run(this.transaction(client)));
  }

  /**
   * One statement that commits by itself. When its answer is lost, what it did is undone, once nothing more can come of
   * it, and it is tried again.
   */
  once<Result>(run: Run<Result>, undo: Run<void>): Promise<Result> {
    return this.#patiently(async (client, deadline) => {
      try {
        return await run(this.transaction(client));
      } catch (error) {
        if (!isLost(error)) throw error;
        await this.settle(client, deadline, () => Promise.resolve());
        await this.write({ commit: 'flushed', ordered: [] }, undo, { pool: this.#options.sparePool });
        throw error;
      }
    });
  }

  write<Result>(options: WriteOptions, run: Run<Result>, using?: Using): Promise<Result> {
    const deadline = performance.now() + this.#options.timeoutMs;
    const write = (by = using) => this.#patiently((client, until) => this.#writeOnce(client, options, run, until), by);
    const [sessionId] = options.ordered;
    if (sessionId === undefined) return write();
    return this.#orderQueue.take(sessionId, () => {
      if (performance.now() > deadline) throw notStored(new Error(`session ${sessionId} is held up`));
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

  async #writeOnce<Result>(
    client: PoolClient,
    { ordered, ...options }: WriteOptions,
    run: Run<Result>,
    deadline: number,
  ): Promise<Result> {
    const tx = this.transaction(client);
    try {
      await tx.begin('', options.commit === 'relaxed' ? ' set local synchronous_commit = off;' : '');
      for (const sessionId of ordered.toSorted()) await lockOrder(tx, sessionId);
      const result = await run(tx);
      await this.#commit(client, tx, options, deadline);
      if (tx.notices.length > 0) this.#options.onNotices(tx.notices);
      return result;
    } catch (error) {
      if (!isGoneFrom(error)) await tx.control('rollback');
      if (error instanceof OrderNeeded) {
        const also = [...new Set([...ordered, error.sessionId])];
        return await this.#writeOnce(client, { ...options, ordered: also }, run, deadline);
      }
      throw error;
    } finally {
      tx.forgetChanged();
    }
  }

  /** Should the connection break just now, the database is asked what became of it. */
  async #commit(client: PoolClient, tx: Tx, { commit, isDone }: CommitOptions, deadline: number): Promise<void> {
    const isSettled = commit === 'settled' || tx.notices.length > 0;
    const evidence = isSettled ? await leaveMark(tx) : isDone;
    try {
      // A message that was written by the way must be on disk before anyone sees it.
      await tx.control(isSettled ? 'set local synchronous_commit = on; commit' : 'commit');
    } catch (error) {
      if (isLost(error) && evidence === undefined) void this.#clearAway(client);
      if (!isLost(error) || evidence === undefined || !(await this.settle(client, deadline, evidence))) throw error;
    }
  }

  /** What nobody waits for any more must not wait at the server, where it keeps its place: once, and if it can be. */
  async #clearAway(client: PoolClient): Promise<void> {
    const using = { pool: this.#options.sparePool, deadline: 0 };
    await this.#patiently((other) => isGone(this.transaction(other), client), using).catch(() => {});
  }

  /**
   * Looks once nothing can be stored any more through a connection that broke. CommitUnknown when that takes too long.
   * A server shows what was cut off while it waited for its standby: it is known to be stored when a commit of ours that
   * came later is.
   */
  async settle<Result>(client: PoolClient, deadline: number, look: Run<Result>): Promise<Result> {
    const until = Math.max(deadline, performance.now() + settleMsMin);
    const using = { pool: this.#options.sparePool, deadline: until };
    try {
      while (!(await this.#patiently((other) => isGone(this.transaction(other), client), using))) {
        if (performance.now() > until) throw new Error('the old connection is still at work');
        await pause();
      }
      const lookAndWrite = async (tx: Tx) => {
        const found = await look(tx);
        await writeMark(tx);
        return found;
      };
      return await this.write({ commit: 'flushed', ordered: [] }, lookAndWrite, using);
    } catch (error) {
      throw new CommitUnknown(error);
    }
  }

  /** Nothing was stored when this tries again. */
  async #patiently<Result>(
    use: (client: PoolClient, deadline: number) => Promise<Result>,
    { pool, deadline = performance.now() + this.#options.timeoutMs }: Using = { pool: this.#options.pool },
  ): Promise<Result> {
    for (let conflicts = 0; ;) {
      try {
        return await withClient(pool, (client) => use(client, deadline));
      } catch (error) {
        const isPassing = isLost(error) || (isConflict(error) && conflicts++ < conflictsMax);
        const isAgain = isPassing && performance.now() < deadline;
        if (!isAgain || this.#isClosing) throw asHubError(error);
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
    client.release(isGoneFrom(fault));
  }
}

/** The connection is lost: it ends its transaction by itself, and whoever asked it for that would only wait. */
function isGoneFrom(error: unknown): boolean {
  return isLost(error) || error instanceof CommitUnknown;
}

/**
 * A mark that is committed with everything else; answers how to look for it, if there is anything to commit. The
 * transaction's number would not do: a server that died gives the numbers of what it lost to others.
 */
async function leaveMark(tx: Tx): Promise<Run<boolean> | undefined> {
  const { origin } = tx;
  const marks = await tx.run(
    `insert into commit_mark (origin, at) select ?, hub_time() where pg_current_xact_id_if_assigned() is not null`,
    [origin],
  );
  if (marks === 0) return undefined;
  return async (later) => (await later.get('select 1 from commit_mark where origin = ?', [origin])) !== undefined;
}

/** The reaper takes it away again, like any other. */
function writeMark(tx: Tx): Promise<number> {
  return tx.run('insert into commit_mark (origin, at) values (?, hub_time())', [tx.origin]);
}

/** The connection broke at the commit, and its outcome could not be learnt in time. */
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
