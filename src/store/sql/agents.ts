// Agent rows: SQL that is the same in both databases.
import type { AgentRecord } from '../../ports/store.js';
import { agentColumns, toAgent, type AgentRow } from '../rows/agent-row.js';
import { findImportRun } from './import-runs.js';
import type { Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';

export function* findAgent(tx: Statements, sessionId: string, id: string): Steps<AgentRecord | undefined> {
  // uses agent's key
  const row = yield* tx.get<AgentRow>(`select ${agentColumns} from agent where session_id = ? and id = ?`, [
    sessionId,
    id,
  ]);
  return row === undefined ? undefined : toAgent(row);
}

/** An agent or a group whose name differs from this id in case alone. Older sessions may have such pairs. */
export function* twinOf(tx: Statements, sessionId: string, id: string): Steps<string | undefined> {
  // uses the keys of agent and agent_group: reads all of a session, for a new id only
  const row = yield* tx.get<{ id: string }>(
    `select id from agent where session_id = ? and lower(id) = ? and id <> ?
     union all select name from agent_group where session_id = ? and lower(name) = ? and name <> ?
     order by 1 limit 1`,
    [sessionId, id.toLowerCase(), id, sessionId, id.toLowerCase(), id],
  );
  return row?.id;
}

/** As the store port requires it. While a session is being imported, its agents are not there. */
export function* findAgentOrNull(
  tx: Statements,
  { sessionId, id }: { sessionId: string; id: string },
): Steps<AgentRecord | null> {
  const agent = yield* findAgent(tx, sessionId, id);
  return agent === undefined || (yield* findImportRun(tx, sessionId)) !== undefined ? null : agent;
}

export function* deleteAgent(tx: Statements, sessionId: string, id: string): Steps<void> {
  yield* tx.factsChange(sessionId, { agentId: id });
  yield* tx.run('delete from agent where session_id = ? and id = ?', [sessionId, id]);
}

/** In order of registration. Without a limit: a message to `all` must reach everyone. */
export function* agentsSeenSince(tx: Statements, sessionId: string, since: number): Steps<string[]> {
  // uses agent's key
  const rows = yield* tx.all<{ id: string; at: number }>(
    'select id, registered_at as at from agent where session_id = ? and last_seen_at > ? order by registered_at',
    [sessionId, since],
  );
  // Sorted here: PostgreSQL's collation depends on the installation.
  return rows.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
}

/** All agent ids and group names, for the suggestions in TARGET_UNKNOWN. */
export function* targetNames(tx: Statements, sessionId: string): Steps<string[]> {
  // uses the keys of agent and agent_group
  const rows = yield* tx.all<{ id: string }>(
    `select id from agent where session_id = ? union select name from agent_group where session_id = ?
     order by 1 limit 10000`,
    [sessionId, sessionId],
  );
  return rows.map(({ id }) => id);
}
