// Rows of wake routes, and the lock of an agent's wakes: SQL that is the same in both databases.
import type { WakeKind } from '../../contract/wake.js';
import type { AgentRef, WakeRoute } from '../../ports/wake.js';
import type { Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';

const columns = `id, kind, label, client_session, companion, position, confirm_ms, wakes_per_hour, quiet_ms, is_once, url,
  host, set_at, lease_until, used_at`;
/** More than an agent may have. */
const routesMax = 100;
const prunedPerStep = 500;

interface RouteRow {
  id: string;
  kind: WakeKind;
  label: string;
  client_session: string | null;
  companion: string;
  position: number;
  confirm_ms: number;
  wakes_per_hour: number | null;
  quiet_ms: number | null;
  is_once: number;
  url: string | null;
  host: string | null;
  set_at: number;
  lease_until: number | null;
  used_at: number | null;
}

function toRoute(row: RouteRow): WakeRoute {
  return {
    id: row.id,
    kind: row.kind,
    label: row.label,
    clientSession: row.client_session,
    companion: row.companion,
    position: row.position,
    confirmMs: row.confirm_ms,
    wakesPerHour: row.wakes_per_hour,
    quietMs: row.quiet_ms,
    isOnce: row.is_once === 1,
    url: row.url,
    host: row.host,
    setAt: row.set_at,
    leaseUntil: row.lease_until,
    usedAt: row.used_at,
  };
}

export interface Announced {
  confirmedSeq: number;
  abandonedSeq: number;
  abandonedAt: number;
}

/** Until the end of the transaction no one else decides about wakes of this agent. */
export function* lockWakes(tx: Statements, { sessionId, agentId }: AgentRef): Steps<Announced> {
  const key = [sessionId, agentId];
  const lock = 'update wake_agent set version = version + 1 where session_id = ? and agent_id = ?';
  if ((yield* tx.run(lock, key)) === 0) {
    yield* tx.run(
      `insert into wake_agent (session_id, agent_id, version, confirmed_seq, abandoned_seq, abandoned_at)
       values (?, ?, 0, 0, 0, 0) on conflict do nothing`,
      key,
    );
    yield* tx.run(lock, key);
  }
  // uses wake_agent's key
  const row = yield* tx.get<{ confirmed_seq: number; abandoned_seq: number; abandoned_at: number }>(
    'select confirmed_seq, abandoned_seq, abandoned_at from wake_agent where session_id = ? and agent_id = ?',
    key,
  );
  return {
    confirmedSeq: row?.confirmed_seq ?? 0,
    abandonedSeq: row?.abandoned_seq ?? 0,
    abandonedAt: row?.abandoned_at ?? 0,
  };
}

export function* saveAnnounced(
  tx: Statements,
  { sessionId, agentId }: AgentRef,
  { confirmedSeq, abandonedSeq, abandonedAt }: Announced,
): Steps<void> {
  yield* tx.run(
    `update wake_agent set confirmed_seq = ?, abandoned_seq = ?, abandoned_at = ? where session_id = ? and agent_id = ?`,
    [confirmedSeq, abandonedSeq, abandonedAt, sessionId, agentId],
  );
}

export function* routesOf(tx: Statements, { sessionId, agentId }: AgentRef): Steps<WakeRoute[]> {
  // uses wake_route's key
  const rows = yield* tx.all<RouteRow>(
    `select ${columns} from wake_route where session_id = ? and agent_id = ? order by position, set_at, id limit ?`,
    [sessionId, agentId, routesMax],
  );
  return rows.map(toRoute);
}

/** Replaces the route of this kind at this place. */
export function* saveRoute(tx: Statements, { sessionId, agentId }: AgentRef, route: WakeRoute): Steps<void> {
  yield* tx.run('delete from wake_route where session_id = ? and agent_id = ? and id = ?', [
    sessionId,
    agentId,
    route.id,
  ]);
  yield* tx.run(
    `insert into wake_route (session_id, agent_id, id, kind, place, label, client_session, companion, position, confirm_ms,
       wakes_per_hour, quiet_ms, is_once, url, host, set_at, lease_until, used_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      sessionId,
      agentId,
      route.id,
      route.kind,
      route.clientSession ?? route.label,
      route.label,
      route.clientSession,
      route.companion,
      route.position,
      route.confirmMs,
      route.wakesPerHour,
      route.quietMs,
      route.isOnce ? 1 : 0,
      route.url,
      route.host,
      route.setAt,
      route.leaseUntil,
      route.usedAt,
    ],
  );
}

export function* setLease(
  tx: Statements,
  { sessionId, agentId }: AgentRef,
  { id, leaseUntil }: { id: string; leaseUntil: number },
): Steps<void> {
  yield* tx.run('update wake_route set lease_until = ? where session_id = ? and agent_id = ? and id = ?', [
    leaseUntil,
    sessionId,
    agentId,
    id,
  ]);
}

export function* useRoute(
  tx: Statements,
  { sessionId, agentId }: AgentRef,
  { id, at }: { id: string; at: number },
): Steps<void> {
  yield* tx.run('update wake_route set used_at = ? where session_id = ? and agent_id = ? and id = ?', [
    at,
    sessionId,
    agentId,
    id,
  ]);
}

export function* deleteRoute(tx: Statements, { sessionId, agentId }: AgentRef, id: string): Steps<boolean> {
  const deleted = yield* tx.run('delete from wake_route where session_id = ? and agent_id = ? and id = ?', [
    sessionId,
    agentId,
    id,
  ]);
  return deleted > 0;
}

/** They have no companion that would end with a key of the agent. */
export function* deleteWebhooks(tx: Statements, { sessionId, agentId }: AgentRef): Steps<void> {
  // uses wake_route_by_place
  yield* tx.run(`delete from wake_route where session_id = ? and agent_id = ? and kind = 'webhook'`, [
    sessionId,
    agentId,
  ]);
}

export function* agentsWithRoutes(
  tx: Statements,
  { after, limit }: { after: AgentRef; limit: number },
): Steps<AgentRef[]> {
  // uses wake_route's key
  const rows = yield* tx.all<{ session_id: string; agent_id: string }>(
    `/* all sessions: agents that can be woken */ select distinct session_id, agent_id from wake_route
     where (session_id, agent_id) > (?, ?) order by session_id, agent_id limit ?`,
    [after.sessionId, after.agentId, limit],
  );
  return rows.map((row) => ({ sessionId: row.session_id, agentId: row.agent_id }));
}

export function* pruneWakeRoutes(tx: Statements, { before }: { before: number }): Steps<number> {
  // uses wake_route_by_lease
  const rows = yield* tx.all<{ session_id: string; agent_id: string; id: string }>(
    `/* all sessions: wake routes that are gone */ select session_id, agent_id, id from wake_route
     where lease_until is not null and lease_until < ? order by lease_until limit ?`,
    [before, prunedPerStep],
  );
  for (const row of rows) yield* deleteRoute(tx, { sessionId: row.session_id, agentId: row.agent_id }, row.id);
  return rows.length;
}
