// The connections of one hub. A server whose machine is gone ends none of them: each would be waited for in vain, one
// after the other. So when one of them was lost and a new one works, the older ones are put to the test.
import type { Client, Pool, PoolClient } from 'pg';
import { openPool, type ConnectionOptions } from './connections.js';

/** What is still waited for then is cut: it may be on its way all the same, and is asked for again. */
const answerMs = 500;

export class OpenConnections {
  readonly #pools: Pool[] = [];
  /** What each is in use for; another object each time. */
  readonly #uses = new Map<PoolClient, object>();

  openPool(options: ConnectionOptions): Pool {
    const pool = openPool(options);
    pool.on('acquire', (client) => this.#uses.set(client, {}));
    pool.on('release', (_error, client) => this.#uses.delete(client));
    this.#pools.push(pool);
    return pool;
  }

  /** A connection was lost, and a new one works. */
  distrust(): void {
    for (const pool of this.#pools) dropIdle(pool);
    const older = new Map(this.#uses);
    setTimeout(() => {
      for (const [client, use] of older) if (this.#uses.get(client) === use) cut(client);
    }, answerMs).unref();
  }
}

/** Those that nobody uses this moment. */
function dropIdle(pool: Pool): void {
  for (let left = pool.idleCount; left > 0; left--) pool.connect().then(drop, ignore);
}

function drop(client: PoolClient): void {
  cut(client);
  client.release(true);
}

/** Without a word to a server that may not answer. The driver has it; its type of a pool's clients does not say so. */
function cut(client: PoolClient): void {
  (client as unknown as Client).connection.stream.destroy();
}

/** The pool is closing, or cannot connect: nothing is left to drop. */
function ignore(): void {}
