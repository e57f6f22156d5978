// Rows of both stores as lines of an export, and back. The columns are those of the list of copied tables.
import type { Line, LineKind } from '../../contract/transfer/lines.js';
import { messages, sessions, stateTables, type CopiedTable, type Row, type Value } from './tables.js';

/** How a table is exported, where its lines are its rows. */
export interface TransferTable {
  readonly kind: LineKind;
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: readonly string[];
  /** Rows that point past the last exported message are left out; its seq is the parameter. The alias is `t`. */
  readonly upTo?: string;
}

interface Choice {
  readonly kind: LineKind;
  readonly table: string;
  readonly without?: readonly string[];
  readonly upTo?: string;
}

const isNewCritical = `exists (select 1 from critical_thread c
  where c.session_id = t.session_id and c.thread_id = t.THREAD and c.opening > ?)`;

const choices: readonly Choice[] = [
  // Who imports it owns its names.
  { kind: 'agent', table: 'agent', without: ['owner'] },
  { kind: 'group', table: 'agent_group' },
  { kind: 'thread', table: 'thread', upTo: `not ${isNewCritical.replace('THREAD', 'id')}` },
  { kind: 'member', table: 'member', upTo: `not ${isNewCritical.replace('THREAD', 'thread_id')}` },
  { kind: 'criticalThread', table: 'critical_thread', upTo: 't.opening <= ?' },
  { kind: 'criticalAnswer', table: 'critical_answer', upTo: 't.seq <= ?' },
  // Its number is unique in a hub and given again. It is the order of the lines.
  { kind: 'deadLetter', table: 'dead_letter', upTo: 't.seq <= ?' },
  { kind: 'notifyPrefs', table: 'notify_prefs' },
  { kind: 'notifyTemplate', table: 'notify_template' },
];

export const transferTables: readonly TransferTable[] = choices.map(({ kind, table, without = [], upTo }) => {
  const { name, key, columns } = tableCalled(table);
  const kept = columns.filter((column) => !without.includes(column));
  return { kind, name, key, columns: kept, ...(upTo === undefined ? {} : { upTo }) };
});

export function tableCalled(name: string): CopiedTable {
  const table = [messages, ...stateTables].find((each) => each.name === name);
  if (table === undefined) throw new Error(`no copied table ${name}`);
  return table;
}

const jsonColumns = new Set(
  'capabilities members required eligible content mentions extras recipients prefs annotations'.split(' '),
);
const flagColumns = new Set(['is_critical', 'is_private', 'urgent']);
/** The number of a dead letter is not part of its line; the message's origin is the store's own. */
const unlisted = new Set(['dead_letter.id', 'message.origin']);

/** Its name is in the header. Who administers it is decided where it is imported. */
export const sessionColumns = sessions.columns.filter((column) => column !== 'created_by_session');

export function columnsInLine({ name, key, columns }: Pick<CopiedTable, 'name' | 'key' | 'columns'>): string[] {
  return [...key, ...columns].filter((column) => !unlisted.has(`${name}.${column}`));
}

/** The fields of a row that are not null. */
export function fieldsOf(columns: readonly string[], row: Row): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const column of columns) {
    const value = row[column] ?? null;
    if (value !== null) fields[fieldOf(column)] = valueInLine(column, value);
  }
  return fields;
}

/** Safe: the line has passed the schema of its kind. */
export function rowOfLine(columns: readonly string[], line: Line): Record<string, Value> {
  const fields = line as unknown as Record<string, unknown>;
  return Object.fromEntries(columns.map((column) => [column, valueInRow(column, fields[fieldOf(column)])]));
}

function fieldOf(column: string): string {
  // `kind` is that of the line.
  if (column === 'kind') return 'agentKind';
  return column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function valueInLine(column: string, value: string | number): unknown {
  if (flagColumns.has(column)) return value === 1;
  return jsonColumns.has(column) ? (JSON.parse(String(value)) as unknown) : value;
}

function valueInRow(column: string, value: unknown): Value {
  if (value === undefined) return null;
  if (flagColumns.has(column)) return value === true ? 1 : 0;
  return jsonColumns.has(column) ? JSON.stringify(value) : (value as Value);
}
