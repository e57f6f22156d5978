// The audit log: rows are added and read, never changed; only --audit-days removes some.
import { limits } from '../../contract/limits.js';
import type { AuditEntry, AuditRecord, Store } from '../../ports/store.js';
import type { Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';

interface AuditRow {
  id: number;
  session_id: string;
  at: number;
  actor: string;
  key_id: string | null;
  address: string;
  act: string;
  target: string;
  details: string;
}

export function* appendAudit(tx: Statements, entry: AuditEntry): Steps<void> {
  const { sessionId, at, actor, keyId, address, act, target, details } = entry;
  yield* tx.run(
    `insert into audit (session_id, at, actor, key_id, address, act, target, details)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
    [sessionId, at, actor, keyId, address, act, target, JSON.stringify(details)],
  );
  yield* tx.auditStored(act);
}

export function* listAudit(
  tx: Statements,
  { sessionId, actor, act, since, until, limit, before }: Parameters<Store['listAudit']>[0],
): Steps<{ entries: AuditRecord[]; next: number | null }> {
  const floor = yield* lastExamined(tx, { sessionId, before });
  const filters: [string, string | number | null][] = [
    ['actor = ?', actor],
    ['act = ?', act],
    ['at >= ?', since],
    ['at <= ?', until],
    ['id < ?', before],
    ['id >= ?', floor],
  ];
  const given = filters.filter(([, value]) => value !== null);
  // uses audit_by_session, or audit's key
  const rows = yield* tx.all<AuditRow>(
    `select id, session_id, at, actor, key_id, address, act, target, details from audit
     where ${['session_id = ?', ...given.map(([condition]) => condition)].join(' and ')} order by id desc limit ?`,
    [sessionId, ...given.map(([, value]) => value), limit + 1],
  );
  const entries = rows.slice(0, limit).map(toRecord);
  return { entries, next: rows.length > limit ? (entries.at(-1)?.id ?? null) : floor };
}

/** Few entries may match: a read looks at so many, whatever it looks for. Null if the log ends before. */
function* lastExamined(
  tx: Statements,
  { sessionId, before }: { sessionId: string; before: number | null },
): Steps<number | null> {
  // uses audit_by_session, or audit's key
  const row = yield* tx.get<{ id: number }>(
    `select id from audit where session_id = ? ${before === null ? '' : 'and id < ?'} order by id desc limit 1 offset ?`,
    [sessionId, ...(before === null ? [] : [before]), limits.auditExamined - 1],
  );
  return row?.id ?? null;
}

export function* deleteAuditBefore(
  tx: Statements,
  before: number,
  limit: number,
): Steps<Pick<AuditRow, 'session_id' | 'act'>[]> {
  // uses audit_by_time, then audit's key
  return yield* tx.all(
    `/* all sessions: audit entries past their days */ delete from audit where (session_id, id) in
       (select session_id, id from audit where at < ? order by at limit ?) returning session_id, act`,
    [before, limit],
  );
}

function toRecord(row: AuditRow): AuditRecord {
  return {
    id: row.id,
    sessionId: row.session_id,
    at: row.at,
    actor: row.actor,
    keyId: row.key_id,
    address: row.address,
    act: row.act,
    target: row.target,
    details: JSON.parse(row.details) as Record<string, unknown>,
  };
}
