// The target: reads the same rows in the same order, and writes them.
import { Client, DatabaseError } from 'pg';
import { HubError } from '../../contract/errors.js';
import { cannotOpen } from '../postgres/connection/cannot-open.js';
import { numberTypes, withStrictTls } from '../postgres/connection/connections.js';
import { isFull, isLost, storeFull } from '../postgres/connection/faults.js';
import { migrate as updateSchema } from '../postgres/connection/upgrade-schema.js';
import { changingTables, messages, sessions, type CopiedTable, type Row, type Value } from '../rows/tables.js';

export type TargetSession = Row & { salt: number; created_at: number };

/** Any number other than that of the schema lock. */
const copyLock = 4_100_002;
const restRows = 1_000;

export class Target {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  /** Migrates the schema to this release, unless it is only read. */
  static async open(url: string, { isReadOnly }: { isReadOnly: boolean }): Promise<Target> {
    let client: Client | undefined;
    try {
      client = connectionTo(url);
      await client.connect();
      if (isReadOnly) await requireSchema(client);
      else await updateSchema(client);
      return new Target(client);
    } catch (error) {
      await client?.end().catch(() => {});
      throw cannotOpen(url, error);
    }
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  /** Two concurrent copies would treat each other's rows as foreign writes. */
  async lock(): Promise<void> {
    const [row] = await this.query('select pg_try_advisory_lock($1)::int as has', [copyLock]);
    if (row?.['has'] === 1) return;
    throw new HubError('DATABASE_CHANGED', 'Another copy into this database is running.', {
      hint: 'Wait until it is done, then run this again.',
    });
  }

  async transaction<Result>(run: () => Promise<Result>, mode = ''): Promise<Result> {
    await this.query(`begin ${mode}`);
    try {
      const result = await run();
      await this.query('commit');
      return result;
    } catch (error) {
      // A lost connection has rolled it back as well.
      await this.query('rollback').catch(() => {});
      throw error;
    }
  }

  async session(id: string): Promise<TargetSession | undefined> {
    // Safe: the columns are those selected.
    const rows = await this.query(`select ${sessions.columns.join(', ')} from session where id = $1`, [id]);
    return rows[0] as unknown as TargetSession | undefined;
  }

  async lastMessage(sessionId: string): Promise<Row | undefined> {
    const sql = `${selectOf(messages)} where t.session_id = $1 order by t.seq desc limit 1`;
    return (await this.query(sql, [sessionId]))[0];
  }

  /** The rows after one key, up to and including another. */
  range(table: CopiedTable, sessionId: string, { after, last }: { after: Row | undefined; last: Row }): Promise<Row[]> {
    return this.#range(table, { sessionId, after, last }, '');
  }

  /** The next rows after a key, if any. */
  rest(table: CopiedTable, sessionId: string, after: Row | undefined): Promise<Row[]> {
    return this.#range(table, { sessionId, after, last: undefined }, `limit ${restRows}`);
  }

  async insert(table: CopiedTable, sessionId: string, rows: readonly Row[]): Promise<void> {
    await this.#write(table, sessionId, { rows, conflict: '' });
  }

  async upsert(table: CopiedTable, sessionId: string, rows: readonly Row[]): Promise<void> {
    const changes = table.columns.map((column) => `${column} = excluded.${column}`).join(', ');
    const instead = table.columns.length === 0 ? 'nothing' : `update set ${changes}`;
    const unique = table.conflict ?? ['session_id', ...table.key];
    const conflict = `on conflict (${unique.join(', ')}) do ${instead}`;
    await this.#write(table, sessionId, { rows, conflict });
  }

  async remove(table: CopiedTable, sessionId: string, rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    const isSame = table.key.map((column) => `t.${column} = gone.${column}`).join(' and ');
    await this.query(
      `delete from ${table.name} t using json_populate_recordset(null::${table.name}, $2::json) gone
       where t.session_id = $1 and ${isSame}`,
      [sessionId, JSON.stringify(rows)],
    );
  }

  /** A hash per table that changes with any row and does not depend on their order. */
  async fingerprints(sessionId: string): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const { name, key, columns } of changingTables) {
      const row = [...key, ...columns].map((column) => `t.${column}`).join(', ');
      const [answer] = await this.query(
        `select count(*) || '/' || coalesce(sum(hashtextextended(row(${row})::text collate "C", 0)), 0) as print
         from ${name} t where t.session_id = $1`,
        [sessionId],
      );
      found[name] = String(answer?.['print']);
    }
    return found;
  }

  async query(sql: string, values: readonly (Value | Uint8Array | readonly string[])[] = []): Promise<Row[]> {
    const { rows } = await this.#client.query<Record<string, Value>>(sql, [...values]);
    return rows;
  }

  async #write(
    table: CopiedTable,
    sessionId: string,
    { rows, conflict }: { rows: readonly Row[]; conflict: string },
  ): Promise<void> {
    if (rows.length === 0) return;
    const columns = [...table.key, ...table.columns].join(', ');
    // Dead letters and audit entries keep their numbers instead of getting new ones.
    await this.query(
      `insert into ${table.name} (session_id, ${columns}) overriding system value
       select $1, ${columns} from json_populate_recordset(null::${table.name}, $2::json) ${conflict}`,
      [sessionId, JSON.stringify(rows)],
    );
  }

  /** uses each table's key */
  #range(
    table: CopiedTable,
    { sessionId, after, last }: { sessionId: string; after: Row | undefined; last: Row | undefined },
    limit: string,
  ): Promise<Row[]> {
    const values: Value[] = [sessionId];
    const key = table.key.map((column) => `t.${column}`).join(', ');
    const keyParameters = (row: Row) => table.key.map((column) => `$${values.push(row[column] ?? null)}`).join(', ');
    const conditions = ['t.session_id = $1'];
    if (after !== undefined) conditions.push(`(${key}) > (${keyParameters(after)})`);
    if (last !== undefined) conditions.push(`(${key}) <= (${keyParameters(last)})`);
    return this.query(`${selectOf(table)} where ${conditions.join(' and ')} order by ${key} ${limit}`, values);
  }
}

function selectOf({ name, key, columns, inPostgres = {} }: CopiedTable): string {
  const selected = [...key, ...columns].map((column) => `${inPostgres[column] ?? `t.${column}`} as ${column}`);
  return `select ${selected.join(', ')} from ${name} t`;
}

/** Explains an error of the database for the copy. */
export function asCopyError(error: unknown): unknown {
  if (error instanceof HubError) return error;
  if (isLost(error)) {
    return new HubError('STORE_UNAVAILABLE', 'The connection to the database was lost during the copy.', {
      hint: 'Run it again: it continues where it stopped.',
      cause: error,
    });
  }
  if (isFull(error)) return storeFull(error);
  if (!(error instanceof DatabaseError) || error.code !== uniqueViolation) return error;
  return new HubError('DATABASE_CHANGED', `A hub wrote to the database during the copy: ${error.detail ?? ''}`, {
    hint: 'Copy into an empty database, and let no hub use these sessions there before the last copy is done.',
    cause: error,
  });
}

const uniqueViolation = '23505';

async function requireSchema(client: Client): Promise<void> {
  const { rows } = await client.query("select 1 where to_regclass('hub_schema') is not null");
  if (rows.length > 0) return;
  throw new HubError('USAGE', 'This database has no hub schema.', {
    hint: 'Run it without --verify-only: this copies and then verifies.',
  });
}

const noTimeouts = ['statement_timeout=0', 'lock_timeout=0', 'idle_in_transaction_session_timeout=0'];

/** Without the timeouts of a hub's connections. */
function connectionTo(url: string): Client {
  const client = new Client({
    connectionString: withStrictTls(url),
    application_name: 'coterie migrate',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    types: numberTypes,
    options: ['synchronous_commit=on', 'client_min_messages=warning', ...noTimeouts]
      .map((setting) => `-c ${setting}`)
      .join(' '),
  });
  // Whoever awaits the query gets the error.
  client.on('error', () => {});
  return client;
}
