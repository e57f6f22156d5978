// Reads the audit log in steps: one read examines a bounded number of entries, and few of them may match.
import type { AuditQuery } from '../ports/audit.js';
import type { AuditRecord, Store } from '../ports/store.js';

/** So many reads look far enough back for most logs, each a turn of its own. */
const readsMax = 20;

/** A page that may be short, or empty, though there are earlier entries: `next` is not null then. */
export async function readAudit(
  store: Pick<Store, 'listAudit'>,
  query: AuditQuery,
): Promise<{ entries: AuditRecord[]; next: number | null }> {
  const entries: AuditRecord[] = [];
  let next = query.before;
  for (let reads = 0; reads < readsMax && entries.length < query.limit; reads += 1) {
    const page = await store.listAudit({ ...query, before: next, limit: query.limit - entries.length });
    entries.push(...page.entries);
    ({ next } = page);
    if (next === null) break;
  }
  return { entries, next };
}
