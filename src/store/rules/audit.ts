// Removes old audit entries, and says so in the log of each session that had some.
import { systemAgentId } from '../../contract/ids.js';
import type { Store } from '../../ports/store.js';
import { appendAudit, deleteAuditBefore } from '../sql/audit.js';
import type { Statements } from './statements.js';
import type { Steps } from './steps.js';

const act = 'prune_audit';

export function* pruneAudit(
  tx: Statements,
  { at, before, limit }: Parameters<Store['pruneAudit']>[0],
): Steps<Awaited<ReturnType<Store['pruneAudit']>>> {
  const rows = yield* deleteAuditBefore(tx, before, limit);
  const removed = new Map<string, number>();
  // Entries about earlier prunings are not told of, or the log would never become empty.
  const told = rows.filter((row) => row.act !== act);
  for (const { session_id: sessionId } of told) removed.set(sessionId, (removed.get(sessionId) ?? 0) + 1);
  for (const [sessionId, count] of removed) {
    const details = { removed: count, before: new Date(before).toISOString() };
    const entry = { sessionId, at, actor: systemAgentId, keyId: null, address: '', act, target: 'audit', details };
    yield* appendAudit(tx, entry);
  }
  return { removed: rows.length, hasMore: rows.length === limit };
}
