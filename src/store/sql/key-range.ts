// The rows of a table some at a time, in the order of its key after session_id.
import type { Position } from '../../ports/transfer.js';
import type { Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';

/** Without its first key, with its last. */
export interface KeyRange {
  key: readonly string[];
  /** Null: from the first row. */
  after: Position | null;
  /** Null: to the last row. */
  upTo: Position | null;
}

/** The next `limit` rows. */
export function* rangeAfter(
  tx: Statements,
  { table, key }: { table: string; key: readonly string[] },
  { sessionId, after, limit }: { sessionId: string; after: Position | null; limit: number },
): Steps<KeyRange> {
  const { where, values } = rangeSql({ key, after, upTo: null });
  const columns = key.map((column) => `t.${column}`).join(', ');
  // uses the table's key
  const last = yield* tx.get<Record<string, string | number>>(
    `select ${columns} from ${table} t where t.session_id = ? and ${where} order by ${columns} limit 1 offset ?`,
    [sessionId, ...values, limit - 1],
  );
  return { key, after, upTo: last === undefined ? null : key.map((column) => last[column] ?? '') };
}

/** As a condition on the rows of `alias`. */
export function rangeSql({ key, after, upTo }: KeyRange, alias = 't'): { where: string; values: (string | number)[] } {
  const columns = `(${key.map((column) => `${alias}.${column}`).join(', ')})`;
  const marks = `(${key.map(() => '?').join(', ')})`;
  const parts = [
    ...(after === null ? [] : [`${columns} > ${marks}`]),
    ...(upTo === null ? [] : [`${columns} <= ${marks}`]),
  ];
  return { where: parts.length === 0 ? 'true' : parts.join(' and '), values: [...(after ?? []), ...(upTo ?? [])] };
}
