// Looks at the rows themselves, beside the hub.
import { join } from 'node:path';
import { Client } from 'pg';
import { openDatabase } from '../../dist/store/sqlite/writer/driver.js';
import { databaseOf } from '../support/test-database.js';

export type Rows = Record<string, unknown>[];

/** Of the database in the folder, or of the one that stands for it. */
export async function rowsOf(folder: string, sql: string): Promise<Rows> {
  const address = await databaseOf(folder);
  if (address === null) return embeddedRows(join(folder, 'coterie.db'), sql);
  const client = new Client(address);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

function embeddedRows(path: string, sql: string): Rows {
  const database = openDatabase(path);
  try {
    return database.prepare(sql).all() as Rows;
  } finally {
    database.close();
  }
}

/** Filled in the background, from what the other tables say. */
const indexes = [
  'thread_message',
  'sender_message',
  'reader_message',
  'message_span',
  'message_word',
  'word_mark',
  'commit_mark',
];

/** Stored some time after the call that they are of. */
const noTimes = { last_seen_at: null, last_used_at: null };

/** Everything that is stored of a session, as text. */
export async function dumpOf(folder: string, sessionId: string): Promise<string[]> {
  const isEmbedded = (await databaseOf(folder)) === null;
  const withSession = isEmbedded
    ? `select m.name as name from sqlite_schema m join pragma_table_info(m.name) c on c.name = 'session_id' where m.type = 'table'`
    : `select table_name as name from information_schema.columns where column_name = 'session_id' and table_schema = current_schema()`;
  const tables = (await rowsOf(folder, withSession)).map(({ name }) => String(name));
  const dumped: string[] = [];
  for (const table of tables.filter((name) => !indexes.includes(name)).toSorted()) {
    const rows = await rowsOf(folder, `select * from ${table} where session_id = '${sessionId}'`);
    dumped.push(...rows.map((row) => `${table} ${JSON.stringify({ ...row, ...noTimes })}`).toSorted());
  }
  const sessions = await rowsOf(folder, `select * from session where id = '${sessionId}'`);
  return [...sessions.map((row) => `session ${JSON.stringify(row)}`), ...dumped];
}
