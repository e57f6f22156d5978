// The connections of one hub. A machine that dies closes no connection, so each would have to time out in turn. Therefore,
// when one connection was lost and a new one works, the older ones are dropped unless they answer soon.
import type { Client, Pool, PoolClient } from 'pg';
import { openPool, type ConnectionOptions } from './connections.js';

/** A connection whose use lasts longer is destroyed; the call resolves its outcome and is retried. */
const answerMs = 500;

export class OpenConnections {
  readonly #pools: Pool[] = [];
  /** The connections in use, with a new object for each use. */
  readonly #uses = new Map<PoolClient, object>();

  openPool(options: ConnectionOptions): Pool {
    const pool = openPool(options);
    pool.on('acquire', (client) => this.#uses.set(client, {}));
    pool.on('release', (_error, client) => this.#uses.delete(client));
    this.#pools.push(pool);
    return pool;
  }

  /** Call it when a connection was lost and a new one works. */
  dropStale(): void {
    for (const pool of this.#pools) dropIdle(pool);
    const older = new Map(this.#uses);
    setTimeout(() => {
      for (const [client, use] of older) if (this.#uses.get(client) === use) destroy(client);
    }, answerMs).unref();
  }
}

function dropIdle(pool: Pool): void {
  for (let left = pool.idleCount; left > 0; left--) pool.connect().then(drop, ignore);
}

function drop(client: PoolClient): void {
  destroy(client);
  client.release(true);
}

/** Sends nothing, because the server may not answer. Safe: the driver has the field; the type of a pool's client lacks it. */
function destroy(client: PoolClient): void {
  (client as unknown as Client).connection.stream.destroy();
}

/** The pool is closing or cannot connect: nothing is left to drop. */
function ignore(): void {}
