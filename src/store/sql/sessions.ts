// Session rows: SQL that is the same in both databases.
import type { ListedSession, SessionRecord, Store } from '../../ports/store.js';
import { closureOf, type ClosureRow } from '../rows/closure-row.js';
import type { Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';

const columns = `s.id, s.created_at, s.application, s.annotations, s.expires_at, s.created_by_session, s.closed_at,
  s.close_reason`;

interface SessionRow extends ClosureRow {
  id: string;
  created_at: number;
  application: string | null;
  annotations: string;
  expires_at: number | null;
  created_by_session: string | null;
}

function toSession(row: SessionRow): SessionRecord {
  return {
    id: row.id,
    createdAt: row.created_at,
    application: row.application,
    annotations: JSON.parse(row.annotations) as Record<string, unknown>,
    expiresAt: row.expires_at,
    createdBySession: row.created_by_session,
    closure: closureOf(row),
  };
}

export function* findSessionRecord(tx: Statements, sessionId: string): Steps<SessionRecord | undefined> {
  const row = yield* tx.get<SessionRow>(`select ${columns} from session s where s.id = ?`, [sessionId]);
  return row === undefined ? undefined : toSession(row);
}

/** A session may have very many. */
const countedMax = 10_000;

export function* listSessions(
  tx: Statements,
  { bySession, limit, after }: Parameters<Store['listSessions']>[0],
): Steps<{ sessions: ListedSession[]; hasMore: boolean }> {
  const isAdministered = bySession === null ? '' : 'and (s.id = ? or s.created_by_session = ?)';
  // uses session's key, then those of agent, thread and message
  const rows = yield* tx.all<SessionRow & Pick<ListedSession, 'agents' | 'threads'> & { last: number | null }>(
    `select ${columns},
       (select count(*) from (select 1 from agent a where a.session_id = s.id limit ?) as found) as agents,
       (select count(*) from (select 1 from thread t where t.session_id = s.id limit ?) as found) as threads,
       (select m.seq from message m where m.session_id = s.id order by m.seq desc limit 1) as last
     from session s where s.id > ? ${isAdministered} order by s.id limit ?`,
    [countedMax, countedMax, after ?? '', ...(bySession === null ? [] : [bySession, bySession]), limit + 1],
  );
  const sessions = rows.slice(0, limit).map((row) => {
    return { ...toSession(row), agents: row.agents, threads: row.threads, lastSeq: row.last ?? 0 };
  });
  return { sessions, hasMore: rows.length > limit };
}

/** Closed one by one; the others follow at once. */
const expiredAtOnce = 100;

export function* expiredSessions(tx: Statements, { now }: { now: number }): Steps<string[]> {
  // uses session_by_expiry
  const rows = yield* tx.all<{ id: string }>(
    'select id from session where expires_at <= ? and closed_at is null order by expires_at, id limit ?',
    [now, expiredAtOnce],
  );
  return rows.map(({ id }) => id);
}

/** Returns how many were open. */
export function* closeOpenThreads(tx: Statements, sessionId: string, summary: string): Steps<number> {
  yield* tx.factsChange(sessionId, 'threads');
  // uses thread's key
  return yield* tx.run("update thread set status = 'closed', summary = ? where session_id = ? and status = 'open'", [
    summary,
    sessionId,
  ]);
}
