// Two servers for what happens at a failover: a primary, and a standby that follows it.
import { Client } from 'pg';
import { eventually } from '../support/eventually.js';
import { startPostgres, type PostgresProcess } from '../support/postgres-process.js';

export interface Pair {
  primary: PostgresProcess;
  standby: PostgresProcess;
}

/** Synchronous: a commit is answered once it is on both disks. Nothing of it outlives `body`. */
export async function withPair<Result>(
  replication: 'synchronous' | 'asynchronous',
  body: (pair: Pair) => Promise<Result>,
): Promise<Result> {
  const primary = await startPostgres();
  let standby: PostgresProcess | undefined;
  try {
    standby = await startPostgres(primary.url);
    if (replication === 'synchronous') {
      // After the copy: the standby must not wait for another when it is promoted.
      await ask(primary.url, `alter system set synchronous_standby_names = '*'`, 'select pg_reload_conf()');
      await eventually('the standby is synchronous', async () => {
        const [row] = await ask(primary.url, `select 1 from pg_stat_replication where sync_state = 'sync'`);
        return row !== undefined;
      });
    }
    return await body({ primary, standby });
  } finally {
    await standby?.stop();
    await primary.stop();
  }
}

/**
 * Makes a primary of it; resolves when it takes writes. The statement does not wait for that: its snapshot could hold up the
 * recovery that it waits for.
 */
export async function promote({ url }: PostgresProcess): Promise<void> {
  await ask(url, 'select pg_promote(false)');
  await eventually('the standby is a primary', async () => {
    const [row] = await ask(url, 'select pg_is_in_recovery() as follows');
    return row?.['follows'] === false;
  });
}

/** Resolves when others see the message. */
export async function isStored({ url }: PostgresProcess, words: string): Promise<void> {
  await eventually(`'${words}' is stored`, async () => {
    const [row] = await ask(url, `select 1 from message where content like '%${words}%'`);
    return row !== undefined;
  });
}

/** One after the other on a connection of their own; answers the rows of the last. */
export async function ask(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new Client(url);
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query<Record<string, unknown>>(statement));
    return rows;
  } finally {
    await client.end();
  }
}
