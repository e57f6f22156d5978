// Agents: registered, updated, removed, listed.
import {
  decideProfile,
  namedLikeGroup,
  notThere,
  requireMayBeAgent,
  requireOwner,
  type RegisterPlan,
} from '../../../agent/decide-registration.js';
import { groupUnknown } from '../../../group/decide-group.js';
import type { AgentRecord, Store } from '../../../ports/store.js';
import { agentColumns, toAgent, type AgentRow } from '../../rows/agent-row.js';
import { isRegistered } from './agents-known.js';
import { endCopiesOf } from '../inbox/end-copies.js';
import { groupMembers, isGroup } from './groups.js';
import { forgetNotifyPrefs } from './notify-settings.js';
import { ensureSession } from './sessions.js';
import type { Tx } from '../writer/transaction.js';

export function findAgent(tx: Tx, sessionId: string, id: string): AgentRecord | undefined {
  const row = tx.get<AgentRow>(`select ${agentColumns} from agent where session_id = ? and id = ?`, sessionId, id);
  return row === undefined ? undefined : toAgent(row);
}

export function registerAgent(tx: Tx, plan: RegisterPlan): { agent: AgentRecord; isNew: boolean } {
  const { sessionId, id, owner, at } = plan;
  requireMayBeAgent(id);
  ensureSession(tx, sessionId, at);
  const before = findAgent(tx, sessionId, id);
  if (before !== undefined) {
    if (plan.onlyIfMissing) return { agent: before, isNew: false };
    requireOwner(plan, before);
    return { agent: updateAgent(tx, before, plan), isNew: false };
  }
  if (isGroup(tx, sessionId, id)) throw namedLikeGroup(id);
  const { name, description, capabilities } = decideProfile(plan);
  tx.run(
    `insert into agent (session_id, ${agentColumns}) values (?, ?, ?, ?, ?, 'agent', ?, ?, ?)`,
    ...[sessionId, id, name, description, JSON.stringify(capabilities), owner, at, at],
  );
  return { agent: mustFind(tx, sessionId, id), isNew: true };
}

function updateAgent(tx: Tx, before: AgentRecord, plan: RegisterPlan): AgentRecord {
  tx.memory.session(plan.sessionId)?.forgetAgent(plan.id);
  const { name, description, capabilities } = decideProfile(plan, before);
  tx.run(
    'update agent set name = ?, description = ?, capabilities = ?, last_seen_at = ? where session_id = ? and id = ?',
    ...[name, description, JSON.stringify(capabilities), plan.at, plan.sessionId, plan.id],
  );
  return mustFind(tx, plan.sessionId, plan.id);
}

function mustFind(tx: Tx, sessionId: string, id: string): AgentRecord {
  const agent = findAgent(tx, sessionId, id);
  if (agent === undefined) throw new Error(`agent ${id} vanished inside its own transaction`);
  return agent;
}

/** It leaves its threads; what it had not read becomes dead letters. */
export function removeAgent(
  tx: Tx,
  plan: Parameters<Store['removeAgent']>[0],
): { leftThreads: string[]; deadLettered: number } {
  const { sessionId, id, at } = plan;
  if (!isRegistered(tx, sessionId, id)) throw notThere(id);
  // uses member_by_agent
  const threads = tx.all<{ thread_id: string }>(
    'select thread_id from member where session_id = ? and agent_id = ? order by thread_id',
    sessionId,
    id,
  );
  for (const { thread_id: threadId } of threads) {
    tx.run('delete from member where session_id = ? and thread_id = ? and agent_id = ?', sessionId, threadId, id);
    inheritThread(tx, sessionId, threadId, id);
    tx.memory.session(sessionId)?.forgetThread(threadId);
  }
  // First itself: it is told nothing any more, not even how its letters to itself ended.
  tx.run('delete from agent where session_id = ? and id = ?', sessionId, id);
  tx.memory.session(sessionId)?.forgetAgent(id);
  const deadLettered = endCopiesOf(tx, {
    sessionId,
    agentId: id,
    at,
    state: 'dead_lettered',
    reason: 'RECIPIENT_REMOVED',
  });
  forgetNotifyPrefs(tx, sessionId, id);
  return { leftThreads: threads.map(({ thread_id }) => thread_id), deadLettered };
}

/** The longest member then owns the thread; one without members is closed. */
function inheritThread(tx: Tx, sessionId: string, threadId: string, leaver: string): void {
  const heir = tx.get<{ agent_id: string }>(
    'select agent_id from member where session_id = ? and thread_id = ? order by place limit 1',
    sessionId,
    threadId,
  );
  if (heir === undefined) {
    tx.run("update thread set status = 'closed' where session_id = ? and id = ?", sessionId, threadId);
  } else {
    tx.run(
      'update thread set creator = ? where session_id = ? and id = ? and creator = ?',
      ...[heir.agent_id, sessionId, threadId, leaver],
    );
  }
}

export function listAgents(tx: Tx, query: Parameters<Store['listAgents']>[0]): (AgentRecord & { unread: number })[] {
  // uses agent's key and pending's key
  const rows = tx.all<AgentRow & { unread: number }>(
    `select ${agentColumns}, (select count(*) from (select 1 from pending p
       where p.session_id = a.session_id and p.agent_id = a.id and p.lane = 0
         and p.lease_token is null and p.digest is null limit 1000)) as unread
     from agent a where session_id = ? order by id limit 10000`,
    query.sessionId,
  );
  const { sessionId, group, now } = query;
  const members = group === null ? null : groupMembers(tx, { sessionId, name: group, now });
  if (members === undefined) throw groupUnknown(group ?? '');
  const wanted = new Set(members);
  return rows
    .filter((row) => members === null || wanted.has(row.id))
    .map((row) => ({ ...toAgent(row), unread: row.unread }));
}

export function recentlySeen(tx: Tx, { since }: { since: number }): { sessionId: string; id: string; at: number }[] {
  // a scan, once per start
  return tx.all(
    `select session_id as sessionId, id, last_seen_at as at from agent where last_seen_at > ?
     order by last_seen_at desc limit 100000`,
    since,
  );
}

export function noteSeen(tx: Tx, seen: Parameters<Store['noteSeen']>[0]): void {
  for (const { sessionId, id, at } of seen) {
    tx.run('update agent set last_seen_at = ? where session_id = ? and id = ?', at, sessionId, id);
  }
}
