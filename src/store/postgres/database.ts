// Runs commands on the database: each in a transaction of its own, again when another got in its way, and with patience
// while the database is away.
import { randomInt } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { HubError } from '../../contract/errors.js';
import type { Appended } from '../../ports/store.js';
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
import { lockOrder } from './sessions.js';
import { OrderNeeded, Tx } from './transaction.js';

export interface DatabaseOptions {
  pool: Pool;
  usesHubTime: boolean;
  /** How long a call waits for a database that is away. */
  patienceMs: number;
  onNotices: (notices: readonly { sessionId: string; appended: Appended }[]) => void;
}

export interface WriteOptions {
  /** Answered after fsync; else what is lost with the server's power costs a marked redelivery. */
  isDurable: boolean;
  /** The sessions whose order is held from the start. */
  ordered: readonly string[];
}

type Run<Result> = (tx: Tx) => Promise<Result>;

const pauseMs = 100;
const conflictsMax = 20;

export class Database {
  readonly #options: DatabaseOptions;
  readonly memory = new HubMemory();
  #isClosing = false;

  constructor(options: DatabaseOptions) {
    this.#options = options;
  }

  get usesHubTime(): boolean {
    return this.#options.usesHubTime;
  }

  /** One consistent view of everything. */
  read<Result>(run: Run<Result>): Promise<Result> {
    return this.#patiently(async (client) => {
      const tx = this.transaction(client);
      try {
        await tx.begin('isolation level repeatable read read only');
        return await run(tx);
      } finally {
        // There is nothing to commit; a connection that is lost ends it by itself.
        await tx.control('rollback').catch(ignore);
      }
    });
  }

  /** A question of one statement needs no transaction. */
  look<Result>(run: Run<Result>): Promise<Result> {
    return this.#patiently((client) => run(this.transaction(client)));
  }

  write<Result>(options: WriteOptions, run: Run<Result>): Promise<Result> {
    return this.#patiently((client) => this.#writeOnce(client, options, run));
  }

  transaction(client: PoolClient): Tx {
    return new Tx(client, { memory: this.memory, usesHubTime: this.usesHubTime, origin: newOrigin() });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#options.pool.end();
  }

  async #writeOnce<Result>(
    client: PoolClient,
    { isDurable, ordered }: WriteOptions,
    run: Run<Result>,
  ): Promise<Result> {
    const tx = this.transaction(client);
    try {
      await tx.begin('', isDurable ? '' : ' set local synchronous_commit = off;');
      for (const sessionId of ordered.toSorted()) await lockOrder(tx, sessionId);
      const result = await run(tx);
      await this.#commit(tx, isDurable || tx.notices.length > 0);
      if (tx.notices.length > 0) this.#options.onNotices(tx.notices);
      return result;
    } catch (error) {
      if (!isLost(error)) await tx.control('rollback');
      if (error instanceof OrderNeeded) {
        const also = [...new Set([...ordered, error.sessionId])];
        return await this.#writeOnce(client, { isDurable, ordered: also }, run);
      }
      throw error;
    } finally {
      tx.forgetChanged();
    }
  }

  /** Should the connection break just now, the transaction's number tells afterwards what became of it. */
  async #commit(tx: Tx, isDurable: boolean): Promise<void> {
    if (!isDurable) return tx.control('commit');
    const row = await tx.get<{ xid: string | null }>('select pg_current_xact_id_if_assigned()::text as xid');
    try {
      // A message that was written by the way must be on disk before anyone sees it.
      await tx.control('set local synchronous_commit = on; commit');
    } catch (error) {
      if (!isLost(error) || !row?.xid) throw error;
      if (!(await this.wasCommitted(row.xid, error))) throw error;
    }
    return undefined;
  }

  /** Throws when it cannot be known in time. */
  async wasCommitted(xid: string, cause: unknown): Promise<boolean> {
    const deadline = performance.now() + this.#options.patienceMs;
    while (performance.now() < deadline && !this.#isClosing) {
      const status = await this.#statusOf(xid);
      if (status === 'committed') return true;
      if (status === 'aborted') return false;
      await pause();
    }
    throw new CommitUnknown(cause);
  }

  async #statusOf(xid: string): Promise<string | null | undefined> {
    try {
      const { rows } = await this.#options.pool.query<{ status: string | null }>(
        'select pg_xact_status($1::xid8) as status',
        [xid],
      );
      return rows[0]?.status;
    } catch (error) {
      if (!isLost(error)) throw error;
      return undefined;
    }
  }

  /** Nothing was stored when this tries again. */
  async #patiently<Result>(use: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const deadline = performance.now() + this.#options.patienceMs;
    for (let conflicts = 0; ;) {
      try {
        return await this.#withClient(use);
      } catch (error) {
        const isAgain = isLost(error) ? performance.now() < deadline : isConflict(error) && conflicts++ < conflictsMax;
        if (!isAgain || this.#isClosing) throw asHubError(error);
        if (isLost(error)) await pause();
      }
    }
  }

  async #withClient<Result>(use: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#options.pool.connect();
    // Heard by whoever awaits the answer.
    client.on('error', ignore);
    let fault: unknown;
    try {
      return await use(client);
    } catch (error) {
      fault = error;
      throw error;
    } finally {
      client.off('error', ignore);
      client.release(isLost(fault) || fault instanceof CommitUnknown);
    }
  }
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

function ignore(): void {}

function newOrigin(): number {
  return randomInt(2 ** 47);
}

export function pause(ms = pauseMs): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
