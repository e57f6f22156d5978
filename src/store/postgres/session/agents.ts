// Agent rows. The facts that sends need are cached with the version of the session.
import type { AgentRecord, Store } from '../../../ports/store.js';
import { agentColumns, oldestUnread, toAgent, type AgentRow, type Waiting } from '../../rows/agent-row.js';
import type { AgentFacts, ListedAgent, NewAgent, ProfileChange } from '../../rules/statements.js';
import { remember } from '../connection/hub-memory.js';
import type { Tx } from '../connection/transaction.js';
import { findSession } from './sessions.js';

/** Facts that are not cached are read in one round trip. */
export async function agentFacts(
  tx: Tx,
  sessionId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AgentFacts>> {
  const found = new Map<string, AgentFacts>();
  const session = await findSession(tx, sessionId);
  if (session === undefined) return found;
  const unknown: string[] = [];
  for (const id of new Set(ids)) {
    const known = session.agents.get(id);
    if (known === undefined) unknown.push(id);
    else found.set(id, known);
  }
  if (unknown.length === 0) return found;
  // uses agent's key, once per id
  const rows = await tx.all<AgentFacts & { id: string }>(
    'select id, name, kind from agent where session_id = ? and id = any(?::text[])',
    [sessionId, unknown],
  );
  for (const { id, name, kind } of rows) {
    remember(session.agents, id, { name, kind });
    found.set(id, { name, kind });
  }
  return found;
}

export async function insertAgent(tx: Tx, sessionId: string, agent: NewAgent): Promise<AgentRecord> {
  const { id, name, description, capabilities, kind, owner, at } = agent;
  await tx.factsChange(sessionId);
  const row = await tx.get<AgentRow>(
    `insert into agent (session_id, ${agentColumns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?) returning ${agentColumns}`,
    [sessionId, id, name, description, JSON.stringify(capabilities), kind, owner, at, at],
  );
  return written(row, id);
}

export async function updateAgent(
  tx: Tx,
  sessionId: string,
  { before, after, at }: ProfileChange,
): Promise<AgentRecord> {
  const { id } = before;
  // Sends depend on no other field that can change here.
  if (after.name !== before.name) await tx.factsChange(sessionId);
  const row = await tx.get<AgentRow>(
    `update agent set name = ?, description = ?, capabilities = ?, last_seen_at = greatest(last_seen_at, ?)
     where session_id = ? and id = ? returning ${agentColumns}`,
    [after.name, after.description, JSON.stringify(after.capabilities), at, sessionId, id],
  );
  return written(row, id);
}

function written(row: AgentRow | undefined, id: string): AgentRecord {
  if (row === undefined) throw new Error(`agent ${id} vanished inside its own transaction`);
  return toAgent(row);
}

export async function listAgentRows(tx: Tx, sessionId: string, ids: readonly string[] | null): Promise<ListedAgent[]> {
  // uses the keys of agent, pending and message
  const rows = await tx.all<AgentRow & Waiting>(
    `select ${agentColumns}, (select count(*) from (select 1 from pending p
       where p.session_id = a.session_id and p.agent_id = a.id and p.lane = 0
         and p.lease_token is null and p.digest is null limit 1000) own) as unread,
       (select m.at from message m where m.session_id = a.session_id and m.seq = ${oldestUnread}) as "oldestUnreadAt"
     from agent a where session_id = ? and (?::text[] is null or id = any(?::text[])) order by id collate "C" limit 10000`,
    [sessionId, ids, ids],
  );
  return rows.map((row) => ({ ...toAgent(row), unread: row.unread, oldestUnreadAt: row.oldestUnreadAt }));
}

export async function recentlySeen(
  tx: Tx,
  { since }: { since: number },
): Promise<{ sessionId: string; id: string; at: number }[]> {
  // a scan, once per start
  return tx.all(
    `/* all sessions: who was seen lately */ select session_id as "sessionId", id, last_seen_at as at from agent
     where last_seen_at > ?
     order by last_seen_at desc limit 100000`,
    [since],
  );
}

export async function noteSeen(tx: Tx, seen: Parameters<Store['noteSeen']>[0]): Promise<void> {
  if (seen.length === 0) return;
  // Uses agent's key. In sorted order to avoid deadlocks between hubs. Never sets an earlier time, because another hub may
  // have seen the agent later.
  await tx.run(
    `with given as (
       select session_id, id, max(at) as at from unnest(?::text[], ?::text[], ?::bigint[]) as g (session_id, id, at)
       group by session_id, id
     ),
     held as (
       select a.session_id, a.id, given.at from agent a join given on a.session_id = given.session_id and a.id = given.id
       where a.last_seen_at < given.at order by a.session_id, a.id for no key update of a
     )
     update agent a set last_seen_at = greatest(a.last_seen_at, held.at) from held
     where a.session_id = held.session_id and a.id = held.id`,
    [seen.map(({ sessionId }) => sessionId), seen.map(({ id }) => id), seen.map(({ at }) => at)],
  );
}
