// Agent rows. The writer caches the facts that sends need.
import type { AgentRecord, Store } from '../../../ports/store.js';
import { agentColumns, oldestUnread, toAgent, type AgentRow, type Waiting } from '../../rows/agent-row.js';
import type { AgentFacts, ListedAgent, NewAgent, ProfileChange } from '../../rules/statements.js';
import { runNow } from '../../rules/steps.js';
import { findAgent } from '../../sql/agents.js';
import type { Tx } from '../writer/transaction.js';
import { findSession } from './sessions.js';

export function agentFacts(tx: Tx, sessionId: string, ids: readonly string[]): Map<string, AgentFacts> {
  const found = new Map<string, AgentFacts>();
  for (const id of ids) {
    const facts = factsOfAgent(tx, sessionId, id);
    if (facts !== undefined) found.set(id, facts);
  }
  return found;
}

export function factsOfAgent(tx: Tx, sessionId: string, id: string): AgentFacts | undefined {
  const session = findSession(tx, sessionId);
  const known = session?.agent(id);
  if (known !== undefined) return known;
  const found = tx.get<AgentFacts>('select name, kind from agent where session_id = ? and id = ?', [sessionId, id]);
  if (found !== undefined) session?.rememberAgent(id, found);
  return found;
}

export function insertAgent(tx: Tx, sessionId: string, agent: NewAgent): AgentRecord {
  const { id, name, description, capabilities, kind, owner, at } = agent;
  tx.run(`insert into agent (session_id, ${agentColumns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`, [
    sessionId,
    id,
    name,
    description,
    JSON.stringify(capabilities),
    kind,
    owner,
    at,
    at,
  ]);
  return readBack(tx, sessionId, id);
}

export function updateAgent(tx: Tx, sessionId: string, { before: { id }, after, at }: ProfileChange): AgentRecord {
  tx.run(
    'update agent set name = ?, description = ?, capabilities = ?, last_seen_at = ? where session_id = ? and id = ?',
    [after.name, after.description, JSON.stringify(after.capabilities), at, sessionId, id],
  );
  tx.memory.session(sessionId)?.forgetAgent(id);
  return readBack(tx, sessionId, id);
}

function readBack(tx: Tx, sessionId: string, id: string): AgentRecord {
  const agent = runNow(findAgent(tx.statements, sessionId, id));
  if (agent === undefined) throw new Error(`agent ${id} vanished inside its own transaction`);
  return agent;
}

/** In steps, because counting the unread of many agents takes long, and a read can be stopped between two statements only. */
const [agentsMax, agentsAtOnce] = [10_000, 500];

export function listAgentRows(tx: Tx, sessionId: string, ids: readonly string[] | null): ListedAgent[] {
  const wanted = ids === null ? null : new Set(ids);
  const listed: ListedAgent[] = [];
  let after = '';
  for (let read = 0; read < agentsMax; read += agentsAtOnce) {
    const rows = agentsAfter(tx, sessionId, after);
    for (const { unread, oldestUnreadAt, ...row } of rows) {
      if (wanted === null || wanted.has(row.id)) listed.push({ ...toAgent(row), unread, oldestUnreadAt });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < agentsAtOnce) break;
    after = last.id;
  }
  return listed;
}

function agentsAfter(tx: Tx, sessionId: string, after: string): (AgentRow & Waiting)[] {
  // uses agent's key, pending's key and message_by_seq
  return tx.all(
    `select ${agentColumns}, (select count(*) from (select 1 from pending p
       where p.session_id = a.session_id and p.agent_id = a.id and p.lane = 0
         and p.lease_token is null and p.digest is null limit 1000)) as unread,
       (select m.at from message m where m.session_id = a.session_id and m.seq = ${oldestUnread}) as oldestUnreadAt
     from agent a where session_id = ? and id > ? order by id limit ?`,
    [sessionId, after, agentsAtOnce],
  );
}

export function recentlySeen(tx: Tx, { since }: { since: number }): { sessionId: string; id: string; at: number }[] {
  // a scan, once per start
  return tx.all(
    `select session_id as sessionId, id, last_seen_at as at from agent where last_seen_at > ?
     order by last_seen_at desc limit 100000`,
    [since],
  );
}

export function noteSeen(tx: Tx, seen: Parameters<Store['noteSeen']>[0]): void {
  for (const { sessionId, id, at } of seen) {
    tx.run('update agent set last_seen_at = ? where session_id = ? and id = ?', [at, sessionId, id]);
  }
}
