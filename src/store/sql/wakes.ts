// Rows of wakes and their attempts: SQL that is the same in both databases.
import { limits } from '../../contract/limits.js';
import type { Priority } from '../../contract/message.js';
import type { AttemptState, WakeKind, WakeState } from '../../contract/wake.js';
import type { AgentRef, WakeAttempt, WakeRecord } from '../../ports/wake.js';
import type { Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';

const columns = 'id, state, is_test, unread, senders, highest, chain, started_at, ended_at';
const attemptsMax = 100;
const wakesKept = 100;

/** Ended wakes of an agent. All of them were attempted, so the newest ones are all that its hourly budget can count. */
function keptMax(): number {
  return Math.max(wakesKept, limits.wakesPerHour);
}

const isAttempted = `exists (select 1 from wake_attempt a
         where a.session_id = w.session_id and a.agent_id = w.agent_id and a.wake_id = w.id)`;

interface WakeRow {
  id: string;
  state: WakeState;
  is_test: number;
  unread: number;
  senders: string;
  highest: Priority;
  chain: number;
  started_at: number;
  ended_at: number | null;
}

const attemptColumns = `route_id, kind, label, state, handed, attempted_at, accepted_at, ended_at, confirm_by, reason`;

interface AttemptRow {
  route_id: string;
  kind: WakeKind;
  label: string;
  state: AttemptState;
  handed: number;
  attempted_at: number;
  accepted_at: number | null;
  ended_at: number | null;
  confirm_by: number;
  reason: string | null;
}

function toAttempt(row: AttemptRow): WakeAttempt {
  return {
    routeId: row.route_id,
    kind: row.kind,
    label: row.label,
    state: row.state,
    handed: row.handed,
    attemptedAt: row.attempted_at,
    acceptedAt: row.accepted_at,
    endedAt: row.ended_at,
    confirmBy: row.confirm_by,
    reason: row.reason,
  };
}

function* withAttempts(tx: Statements, { sessionId, agentId }: AgentRef, row: WakeRow): Steps<WakeRecord> {
  // uses wake_attempt's key
  const attempts = yield* tx.all<AttemptRow>(
    `select ${attemptColumns} from wake_attempt where session_id = ? and agent_id = ? and wake_id = ?
     order by attempted_at, route_id limit ?`,
    [sessionId, agentId, row.id, attemptsMax],
  );
  return {
    id: row.id,
    state: row.state,
    isTest: row.is_test === 1,
    unread: row.unread,
    // Safe: written by insertWake.
    senders: JSON.parse(row.senders) as string[],
    highest: row.highest,
    chain: row.chain,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    attempts: attempts.map(toAttempt),
  };
}

/** Newest first. */
export function* listWakes(
  tx: Statements,
  { sessionId, agentId, limit }: AgentRef & { limit: number },
): Steps<WakeRecord[]> {
  // uses wake_by_age
  const rows = yield* tx.all<WakeRow>(
    `select ${columns} from wake where session_id = ? and agent_id = ? order by started_at desc, id desc limit ?`,
    [sessionId, agentId, limit],
  );
  const wakes: WakeRecord[] = [];
  for (const row of rows) wakes.push(yield* withAttempts(tx, { sessionId, agentId }, row));
  return wakes;
}

export function* findWake(
  tx: Statements,
  { sessionId, agentId, wakeId }: AgentRef & { wakeId: string },
): Steps<WakeRecord | null> {
  // uses wake's key
  const row = yield* tx.get<WakeRow>(`select ${columns} from wake where session_id = ? and agent_id = ? and id = ?`, [
    sessionId,
    agentId,
    wakeId,
  ]);
  return row === undefined ? null : yield* withAttempts(tx, { sessionId, agentId }, row);
}

/** The open one, or the last. */
export function* lastWake(tx: Statements, ref: AgentRef): Steps<WakeRecord | null> {
  return (yield* listWakes(tx, { ...ref, limit: 1 }))[0] ?? null;
}

/** The last one that two agents' turns can go on from: mail led to it, also if it was a test. */
export function* lastTurn(tx: Statements, { sessionId, agentId }: AgentRef): Steps<WakeRecord | null> {
  // uses wake_by_age
  const row = yield* tx.get<WakeRow>(
    `select ${columns} from wake w where w.session_id = ? and w.agent_id = ?
       and (w.is_test = 0 or (w.unread > 0 and ${isAttempted}))
     order by w.started_at desc, w.id desc limit 1`,
    [sessionId, agentId],
  );
  return row === undefined ? null : yield* withAttempts(tx, { sessionId, agentId }, row);
}

/** When attempted wakes started, oldest first. */
export function* startsSince(tx: Statements, { sessionId, agentId }: AgentRef, since: number): Steps<number[]> {
  // uses wake_by_age
  const rows = yield* tx.all<{ started_at: number }>(
    `select w.started_at from wake w where w.session_id = ? and w.agent_id = ? and w.started_at > ?
       and ${isAttempted}
     order by w.started_at desc limit ?`,
    [sessionId, agentId, since, keptMax()],
  );
  return rows.map((row) => row.started_at).toReversed();
}

export interface NewWake extends Omit<WakeRecord, 'state' | 'endedAt' | 'attempts'> {
  afterSeq: number;
  lookAt: number;
}

/** Forgets the oldest ones of the agent. */
export function* insertWake(tx: Statements, { sessionId, agentId }: AgentRef, wake: NewWake): Steps<void> {
  yield* tx.run(
    `insert into wake (session_id, agent_id, id, state, is_test, unread, senders, highest, chain, after_seq, up_to_seq,
       started_at, ended_at, look_at)
     values (?, ?, ?, 'open', ?, ?, ?, ?, ?, ?, null, ?, null, ?)`,
    [
      sessionId,
      agentId,
      wake.id,
      wake.isTest ? 1 : 0,
      wake.unread,
      JSON.stringify(wake.senders),
      wake.highest,
      wake.chain,
      wake.afterSeq,
      wake.startedAt,
      wake.lookAt,
    ],
  );
  // uses wake_by_age
  const old = yield* tx.all<{ id: string }>(
    `select id from wake where session_id = ? and agent_id = ? and state <> 'open'
     order by started_at desc, id desc limit ? offset ?`,
    [sessionId, agentId, wakesKept, keptMax()],
  );
  for (const { id } of old) yield* deleteWake(tx, { sessionId, agentId }, id);
}

export function* deleteWake(tx: Statements, { sessionId, agentId }: AgentRef, id: string): Steps<void> {
  const key = [sessionId, agentId, id];
  yield* tx.run('delete from wake_attempt where session_id = ? and agent_id = ? and wake_id = ?', key);
  yield* tx.run('delete from wake where session_id = ? and agent_id = ? and id = ?', key);
}

/** What it says changes with the mail that has come meanwhile. */
export function* updateWake(
  tx: Statements,
  { sessionId, agentId }: AgentRef,
  wake: Pick<WakeRecord, 'id' | 'unread' | 'senders' | 'highest' | 'chain' | 'startedAt'>,
): Steps<void> {
  const { id, unread, senders, highest, chain, startedAt } = wake;
  yield* tx.run(
    `update wake set unread = ?, senders = ?, highest = ?, chain = ?, started_at = ?
     where session_id = ? and agent_id = ? and id = ?`,
    [unread, JSON.stringify(senders), highest, chain, startedAt, sessionId, agentId, id],
  );
}

export function* lookAgainAt(
  tx: Statements,
  { sessionId, agentId }: AgentRef,
  { id, at }: { id: string; at: number },
): Steps<void> {
  yield* tx.run('update wake set look_at = ? where session_id = ? and agent_id = ? and id = ?', [
    at,
    sessionId,
    agentId,
    id,
  ]);
}

export function* endWake(
  tx: Statements,
  { sessionId, agentId }: AgentRef,
  { id, state, at, upToSeq }: { id: string; state: WakeState; at: number; upToSeq: number },
): Steps<void> {
  yield* tx.run(
    'update wake set state = ?, ended_at = ?, up_to_seq = ? where session_id = ? and agent_id = ? and id = ?',
    [state, at, upToSeq, sessionId, agentId, id],
  );
}

export function* insertAttempt(
  tx: Statements,
  { sessionId, agentId }: AgentRef,
  { wakeId, attempt }: { wakeId: string; attempt: WakeAttempt },
): Steps<void> {
  const { routeId, kind, label, state, handed, attemptedAt, confirmBy } = attempt;
  yield* tx.run(
    `insert into wake_attempt (session_id, agent_id, wake_id, route_id, kind, label, state, handed, attempted_at, confirm_by)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [sessionId, agentId, wakeId, routeId, kind, label, state, handed, attemptedAt, confirmBy],
  );
}

export function* updateAttempt(
  tx: Statements,
  { sessionId, agentId }: AgentRef,
  { wakeId, attempt }: { wakeId: string; attempt: WakeAttempt },
): Steps<void> {
  const { routeId, state, handed, acceptedAt, endedAt, confirmBy, reason } = attempt;
  yield* tx.run(
    `update wake_attempt set state = ?, handed = ?, accepted_at = ?, ended_at = ?, confirm_by = ?, reason = ?
     where session_id = ? and agent_id = ? and wake_id = ? and route_id = ?`,
    [state, handed, acceptedAt, endedAt, confirmBy, reason, sessionId, agentId, wakeId, routeId],
  );
}

export function* openWakes(
  tx: Statements,
  { now, limit }: { now: number; limit: number },
): Steps<(AgentRef & { wakeId: string; isDue: boolean })[]> {
  const at = yield* tx.sharedTime(now);
  // uses wake_open
  const rows = yield* tx.all<{ session_id: string; agent_id: string; id: string; look_at: number }>(
    `/* all sessions: wakes that are open */ select session_id, agent_id, id, look_at from wake where state = 'open'
     order by look_at limit ?`,
    [limit],
  );
  return rows.map((row) => ({
    sessionId: row.session_id,
    agentId: row.agent_id,
    wakeId: row.id,
    isDue: row.look_at <= at,
  }));
}

const recipientsMax = 50;

export function* wakesAnnouncing(
  tx: Statements,
  { sessionId, seq, agentIds }: { sessionId: string; seq: number; agentIds: readonly string[] },
): Steps<{ agentId: string; attempt: WakeAttempt }[]> {
  const found: { agentId: string; attempt: WakeAttempt }[] = [];
  for (const agentId of agentIds.slice(0, recipientsMax)) {
    // uses wake_by_age, then wake_attempt's key
    const rows = yield* tx.all<AttemptRow>(
      `select a.route_id, a.kind, a.label, a.state, a.handed, a.attempted_at, a.accepted_at, a.ended_at, a.confirm_by, a.reason
       from wake w join wake_attempt a on a.session_id = w.session_id and a.agent_id = w.agent_id and a.wake_id = w.id
       where w.session_id = ? and w.agent_id = ? and w.after_seq < ? and (w.up_to_seq is null or w.up_to_seq >= ?)
       order by a.attempted_at, a.route_id limit ?`,
      [sessionId, agentId, seq, seq, attemptsMax],
    );
    found.push(...rows.map((row) => ({ agentId, attempt: toAttempt(row) })));
  }
  return found;
}

/** All that is known of how a removed agent was woken. */
export function* deleteWakes(tx: Statements, { sessionId, agentId }: AgentRef): Steps<void> {
  const key = [sessionId, agentId];
  for (const table of ['wake_route', 'wake_attempt', 'wake', 'wake_agent', 'escalation']) {
    yield* tx.run(`delete from ${table} where session_id = ? and agent_id = ?`, key);
  }
}
