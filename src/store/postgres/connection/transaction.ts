// What statement files use: one connection, inside or outside of a transaction, and the cached sessions.
import type { ClientBase as Client, QueryResult, QueryResultRow } from 'pg';
import type { CommitNews } from '../../../ports/store.js';
import type { Statements } from '../../rules/statements.js';
import { statementsOf } from '../statements.js';
import { ReadOnlyServer } from './faults.js';
import { SessionMemory, type HubMemory } from './hub-memory.js';

export type SqlValue = string | number | boolean | Uint8Array | null | readonly (string | null)[] | readonly number[];

/** The command writes a message without the session's order lock: it is rolled back and run again with the lock. */
export class OrderNeeded extends Error {
  readonly sessionId: string;

  constructor(sessionId: string) {
    super(`the order lock of session ${sessionId} is needed`);
    this.sessionId = sessionId;
  }
}

export interface TxOptions {
  memory: HubMemory;
  usesHubTime: boolean;
  origin: number;
}

export class Tx {
  readonly #client: Client;
  readonly #hubMemory: HubMemory;
  /** Sessions read in this transaction, or valid under the order lock. */
  readonly #sessions = new Map<string, SessionMemory>();
  readonly #ordered = new Set<string>();
  readonly #changed = new Set<string>();
  /** Messages from `system`; their recipients are woken after the commit. */
  readonly notices: CommitNews[] = [];
  /** Identifies the messages of this transaction. */
  readonly origin: number;
  /** Times come from the hub instead of the database, for tests that move the clock. */
  readonly usesHubTime: boolean;
  /** The database's time at the begin of the transaction, once read. */
  databaseTime: number | undefined;
  #statements: Statements | undefined;

  constructor(client: Client, { memory, usesHubTime, origin }: TxOptions) {
    this.#client = client;
    this.#hubMemory = memory;
    this.usesHubTime = usesHubTime;
    this.origin = origin;
  }

  /** The statements as rules call them. */
  get statements(): Statements {
    this.#statements ??= statementsOf(this);
    return this.#statements;
  }

  /** The caller gives the row type of the columns that it selects; nothing checks it. */
  async get<Row extends object>(sql: string, values: readonly SqlValue[] = []): Promise<Row | undefined> {
    return (await this.all<Row>(sql, values))[0];
  }

  async all<Row extends object>(sql: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    const { name, text } = statementOf(sql);
    const { rows } = await this.#client.query<QueryResultRow>({ name, text, values: [...values] });
    return rows as Row[];
  }

  /** Returns how many rows changed. */
  async run(sql: string, values: readonly SqlValue[] = []): Promise<number> {
    const { name, text } = statementOf(sql);
    const { rowCount } = await this.#client.query({ name, text, values: [...values] });
    return rowCount ?? 0;
  }

  /** Begin, commit, rollback and settings, without preparing them. */
  async control(sql: string): Promise<void> {
    await this.#client.query(sql);
  }

  /** In the same round trip reads the database's time and checks that the server is writable. */
  async begin(mode: string, settings = ''): Promise<void> {
    const answers: unknown = await this.#client.query(`begin ${mode};${settings} 
      select hub_time() as ms, current_setting('default_transaction_read_only') as "readOnly"`);
    // Safe: several statements in one query return a list of results, which the driver's types do not declare.
    const { rows } = (answers as QueryResult<{ ms: number; readOnly: 'on' | 'off' }>[]).at(-1) ?? { rows: [] };
    if (rows[0]?.readOnly === 'on') throw new ReadOnlyServer();
    this.databaseTime = rows[0]?.ms;
  }

  session(sessionId: string): SessionMemory | undefined {
    return this.#sessions.get(sessionId);
  }

  rememberSession(sessionId: string, memory: SessionMemory): void {
    this.#sessions.set(sessionId, memory);
  }

  get hubMemory(): HubMemory {
    return this.#hubMemory;
  }

  /** Until the end of the transaction no one else appends to this session or changes facts that sends depend on. */
  holdOrder(sessionId: string): void {
    this.#ordered.add(sessionId);
  }

  holdsOrder(sessionId: string): boolean {
    return this.#ordered.has(sessionId);
  }

  requireOrder(sessionId: string): void {
    if (!this.#ordered.has(sessionId)) throw new OrderNeeded(sessionId);
  }

  /**
   * Call it before writing agents, threads, members, groups or filters: increments the version, so that every hub reads
   * them again. Until the commit the change must stay private, so this transaction continues with its own cache.
   */
  async factsChange(sessionId: string): Promise<void> {
    this.requireOrder(sessionId);
    const before = this.#sessions.get(sessionId);
    if (before !== undefined) this.#sessions.set(sessionId, new SessionMemory(before));
    if (this.#changed.has(sessionId)) return;
    this.#changed.add(sessionId);
    await this.run('update session set version = version + 1 where id = ?', [sessionId]);
  }

  /** Call it after the commit or the rollback: changed sessions are read again. */
  forgetChanged(): void {
    for (const sessionId of this.#changed) this.#hubMemory.forget(sessionId);
  }
}

const statements = new Map<string, { name: string; text: string }>();

/** Numbers the `?` placeholders as PostgreSQL requires, and names the statement so that each connection prepares it once. */
function statementOf(sql: string): { name: string; text: string } {
  let known = statements.get(sql);
  if (known === undefined) {
    let count = 0;
    known = { name: `s${statements.size}`, text: sql.replaceAll('?', () => `$${++count}`) };
    statements.set(sql, known);
  }
  return known;
}
