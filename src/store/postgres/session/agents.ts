// Agents: registered, updated, removed, listed.
import {
  decideProfile,
  idIsGroupName,
  agentNotRegistered,
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
import type { Tx } from '../connection/transaction.js';

export async function findAgent(tx: Tx, sessionId: string, id: string): Promise<AgentRecord | undefined> {
  const row = await tx.get<AgentRow>(
    `select ${agentColumns} from agent where session_id = ? and id = ?`,
    ...[sessionId, id],
  );
  return row === undefined ? undefined : toAgent(row);
}

export async function registerAgent(tx: Tx, plan: RegisterPlan): Promise<{ agent: AgentRecord; isNew: boolean }> {
  const { sessionId, id, owner, at } = plan;
  requireMayBeAgent(id);
  await ensureSession(tx, sessionId, at);
  const before = await findAgent(tx, sessionId, id);
  if (before !== undefined) {
    if (plan.onlyIfMissing) return { agent: before, isNew: false };
    requireOwner(plan, before);
    return { agent: await updateAgent(tx, before, plan), isNew: false };
  }
  if (await isGroup(tx, sessionId, id)) throw idIsGroupName(id);
  const { name, description, capabilities } = decideProfile(plan);
  await tx.factsChange(sessionId);
  const inserted = await tx.get<AgentRow>(
    `insert into agent (session_id, ${agentColumns}) values (?, ?, ?, ?, ?, 'agent', ?, ?, ?) returning ${agentColumns}`,
    ...[sessionId, id, name, description, JSON.stringify(capabilities), owner, at, at],
  );
  return { agent: written(inserted, id), isNew: true };
}

async function updateAgent(tx: Tx, before: AgentRecord, plan: RegisterPlan): Promise<AgentRecord> {
  const { name, description, capabilities } = decideProfile(plan, before);
  // All else that can change here is nothing a send must know.
  if (name !== before.name) await tx.factsChange(plan.sessionId);
  const updated = await tx.get<AgentRow>(
    `update agent set name = ?, description = ?, capabilities = ?, last_seen_at = greatest(last_seen_at, ?)
     where session_id = ? and id = ? returning ${agentColumns}`,
    ...[name, description, JSON.stringify(capabilities), plan.at, plan.sessionId, plan.id],
  );
  return written(updated, plan.id);
}

function written(row: AgentRow | undefined, id: string): AgentRecord {
  if (row === undefined) throw new Error(`agent ${id} vanished inside its own transaction`);
  return toAgent(row);
}

/** It leaves its threads; what it had not read becomes dead letters. */
export async function removeAgent(
  tx: Tx,
  plan: Parameters<Store['removeAgent']>[0],
): Promise<{ leftThreads: string[]; deadLettered: number }> {
  const { sessionId, id, at } = plan;
  if (!(await isRegistered(tx, sessionId, id))) throw agentNotRegistered(id);
  await tx.factsChange(sessionId);
  // uses member_by_agent
  const left = await tx.all<{ thread_id: string }>(
    'delete from member where session_id = ? and agent_id = ? returning thread_id',
    ...[sessionId, id],
  );
  const leftThreads = left.map(({ thread_id }) => thread_id).toSorted();
  await inheritThreads(tx, sessionId, leftThreads, id);
  // First itself: it is told nothing any more, not even how its letters to itself ended.
  await tx.run('delete from agent where session_id = ? and id = ?', sessionId, id);
  await forgetNotifyPrefs(tx, sessionId, id);
  const deadLettered = await endCopiesOf(tx, {
    sessionId,
    agentId: id,
    at,
    state: 'dead_lettered',
    reason: 'RECIPIENT_REMOVED',
  });
  return { leftThreads, deadLettered };
}

/** The longest member then owns the thread; one without members is closed. */
async function inheritThreads(tx: Tx, sessionId: string, threadIds: readonly string[], leaver: string): Promise<void> {
  if (threadIds.length === 0) return;
  // uses thread's key and member's
  await tx.run(
    `with heir as (
       select t.id, (select m.agent_id from member m where m.session_id = t.session_id and m.thread_id = t.id
                     order by m.place limit 1) as agent_id
       from thread t where t.session_id = ? and t.id = any(?::text[])
     )
     update thread t set
       status = case when heir.agent_id is null then 'closed' else t.status end,
       creator = case when t.creator = ? then coalesce(heir.agent_id, t.creator) else t.creator end
     from heir where t.session_id = ? and t.id = heir.id`,
    ...[sessionId, threadIds, leaver, sessionId],
  );
}

export async function listAgents(
  tx: Tx,
  query: Parameters<Store['listAgents']>[0],
): Promise<(AgentRecord & { unread: number })[]> {
  const { sessionId, group, now } = query;
  const members = group === null ? null : await groupMembers(tx, { sessionId, name: group, now });
  if (members === undefined) throw groupUnknown(group ?? '');
  // uses agent's key and pending's key
  const rows = await tx.all<AgentRow & { unread: number }>(
    `select ${agentColumns}, (select count(*) from (select 1 from pending p
       where p.session_id = a.session_id and p.agent_id = a.id and p.lane = 0
         and p.lease_token is null and p.digest is null limit 1000) own) as unread
     from agent a where session_id = ? and (?::text[] is null or id = any(?::text[])) order by id collate "C" limit 10000`,
    ...[sessionId, members, members],
  );
  return rows.map((row) => ({ ...toAgent(row), unread: row.unread }));
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
    since,
  );
}

export async function noteSeen(tx: Tx, seen: Parameters<Store['noteSeen']>[0]): Promise<void> {
  if (seen.length === 0) return;
  // Uses agent's key. In sorted order, so that no two hubs wait for each other in a circle; and never back: another hub
  // may have seen the agent later.
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
    seen.map(({ sessionId }) => sessionId),
    seen.map(({ id }) => id),
    seen.map(({ at }) => at),
  );
}
