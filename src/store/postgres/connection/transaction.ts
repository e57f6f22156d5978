// What a statement file works with: one connection, inside or outside of a transaction, and what is known of sessions.
import type { ClientBase as Client, QueryResult, QueryResultRow } from 'pg';
import type { Appended } from '../../../ports/store.js';
import type { Statements } from '../../rules/statements.js';
import { statementsOf } from '../statements.js';
import { ReadOnlyServer } from './faults.js';
import { SessionMemory, type HubMemory } from './hub-memory.js';

export type SqlValue = string | number | boolean | Uint8Array | null | readonly (string | null)[] | readonly number[];

/** The command writes a message and does not hold the session's order yet: it is undone and run again with it. */
export class OrderNeeded extends Error {
  readonly sessionId: string;

  constructor(sessionId: string) {
    super(`the order of session ${sessionId} is needed`);
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
  /** What was read here, or under the order's lock is known to hold. */
  readonly #sessions = new Map<string, SessionMemory>();
  readonly #ordered = new Set<string>();
  readonly #changed = new Set<string>();
  /** Messages the hub wrote by itself; their readers are to be woken after the commit. */
  readonly notices: { sessionId: string; appended: Appended }[] = [];
  /** Marks the messages of this transaction. */
  readonly origin: number;
  /** Times come from the hub and not from the database: for tests that move the clock. */
  readonly usesHubTime: boolean;
  /** The database's time at the beginning, once it is known. */
  databaseTime: number | undefined;
  #statements: Statements | undefined;

  constructor(client: Client, { memory, usesHubTime, origin }: TxOptions) {
    this.#client = client;
    this.#hubMemory = memory;
    this.usesHubTime = usesHubTime;
    this.origin = origin;
  }

  /** As rules call them. */
  get statements(): Statements {
    this.#statements ??= statementsOf(this);
    return this.#statements;
  }

  /** The row type is the caller's word: it names the columns it selects. */
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

  /** Begin, commit, rollback and settings: plain text. */
  async control(sql: string): Promise<void> {
    await this.#client.query(sql);
  }

  /** Begins and learns the database's time in the same round trip, and that the server is still one that may be used. */
  async begin(mode: string, settings = ''): Promise<void> {
    const answers: unknown = await this.#client.query(`begin ${mode};${settings} 
      select hub_time() as ms, current_setting('default_transaction_read_only') as "readOnly"`);
    // Several statements at once have a list of answers, which the driver's types do not know.
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

  /** From here to the end no one else appends to this session, or changes what a send must know of it. */
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
   * To be called before agents, threads, members, groups or filters are written: every hub then reads them again. Until
   * the commit no one else may know, so this transaction goes on with a memory of its own.
   */
  async factsChange(sessionId: string): Promise<void> {
    this.requireOrder(sessionId);
    const before = this.#sessions.get(sessionId);
    if (before !== undefined) this.#sessions.set(sessionId, new SessionMemory(before.salt, before.version));
    if (this.#changed.has(sessionId)) return;
    this.#changed.add(sessionId);
    await this.run('update session set version = version + 1 where id = ?', [sessionId]);
  }

  /** After the commit, or after it was undone: whatever changed is read again. */
  forgetChanged(): void {
    for (const sessionId of this.#changed) this.#hubMemory.forget(sessionId);
  }
}

const statements = new Map<string, { name: string; text: string }>();

/** The twin's question marks as PostgreSQL numbers them, and a name by which each connection prepares them once. */
function statementOf(sql: string): { name: string; text: string } {
  let known = statements.get(sql);
  if (known === undefined) {
    let count = 0;
    known = { name: `s${statements.size}`, text: sql.replaceAll('?', () => `$${++count}`) };
    statements.set(sql, known);
  }
  return known;
}
