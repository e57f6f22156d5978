// A reader's copy joined with its message, for both stores. In SQL, `p` is the copy and `m` its message.
import type { Why } from '../../contract/message.js';
import type { HandedCopy, InboxFilter } from '../../ports/store.js';
import { messageColumns, toRecord, type MessageRow } from './message-row.js';

export interface CopyRow extends MessageRow {
  lane: number;
  why: Why;
  attempts: number;
  notice: string | null;
}

// The copy has its own expiry: a replayed copy may outlive the expiry of its message.
export const copyColumns = `p.lane, p.why, p.attempts, p.notice, ${messageColumns
  .split(', ')
  .map((column) => (column === 'expires_at' ? `p.${column}` : `m.${column}`))
  .join(', ')}`;

export function toCopy(row: Omit<CopyRow, 'notice'>, salt: number, attempt: number): HandedCopy {
  return {
    key: { lane: row.lane, rank: row.rank, seq: row.seq },
    message: toRecord(row, salt),
    why: row.why,
    redelivered: attempt > 1,
    attempt,
  };
}

/** Interrupts pass every filter. */
export function filterSql(filter: InboxFilter): { where: string; values: string[] } {
  const { where, values } = testsSql(filter, 'm');
  return where === '' ? { where, values } : { where: ` and (p.rank = 0 or (${where}))`, values };
}

/** Without interrupts. A copy that is filed (`p`) has the tested columns of its message (`m`) but for the priority. */
export function testsSql(filter: InboxFilter, table: 'p' | 'm'): { where: string; values: string[] } {
  const { threadIds } = filter;
  const tests: [string, string | readonly string[] | undefined][] = [
    [`${table}.sender = ?`, filter.from],
    [`${table}.thread_id in (${threadIds?.map(() => '?').join(', ')})`, threadIds],
    [`${table}.target = ?`, filter.target],
    [`${table}.type = ?`, filter.type],
    ['m.priority = ?', filter.priority],
  ];
  const used = tests.flatMap(([sql, given]) => (given === undefined ? [] : [{ sql, given }]));
  return { where: used.map(({ sql }) => sql).join(' and '), values: used.flatMap(({ given }) => given) };
}
