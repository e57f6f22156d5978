// Whether a statement walks through an index that has a column in the middle which the statement says nothing of: then
// it looks at all there is, however little it wants. PostgreSQL chooses such a plan when it takes a table for small, and
// a hub's connection keeps it while the table grows.
import type { Client } from 'pg';

interface PlanNode {
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

export async function columnsOfIndexes(client: Client): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(pg_get_indexdef(i.indexrelid, k.place, true) order by k.place) as columns
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam and a.amname = 'btree'
     cross join lateral generate_series(1, i.indnkeyatts::integer) as k (place)
     where c.relnamespace = 'public'::regnamespace group by c.relname`,
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

/** As a hub plans it: once, for whatever the parameters may be. */
export async function gapsIn(client: Client, text: string, indexes: Map<string, string[]>): Promise<string[]> {
  if (!/^\s*(select|with|insert|update|delete)\b/i.test(text.replaceAll(/\/\*.*?\*\//g, ''))) return [];
  const places = [...text.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place));
  const nulls = Array.from({ length: Math.max(0, ...places) }, () => 'null').join(', ');
  await client.query('set enable_seqscan = off; set plan_cache_mode = force_generic_plan');
  await client.query(`prepare looked_at as ${text}`);
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (format json) execute looked_at${nulls === '' ? '' : `(${nulls})`}`,
    );
    return nodesOf(rows[0]?.['QUERY PLAN'][0].Plan).flatMap((node) => {
      const { 'Index Name': name = '', 'Index Cond': condition = '' } = node;
      return hasGap(indexes.get(name) ?? [], condition) ? [`${name} by ${condition}: ${text}`] : [];
    });
  } finally {
    await client.query('deallocate looked_at');
  }
}

function nodesOf(node: PlanNode | undefined): PlanNode[] {
  return node === undefined ? [] : [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

export function hasGap(columns: readonly string[], condition: string): boolean {
  // Columns of other tables have those before them.
  const isNamed = columns.map((column) => new RegExp(`(?<![.\\w])${column}\\b`).test(condition));
  return isNamed.includes(false) && isNamed.lastIndexOf(true) > isNamed.indexOf(false);
}
