// Rows of questions, permission prompts and alerts: SQL that is the same in both databases.
import { asOf } from '../../signal/decide-state.js';
import type { SignalStore } from '../../ports/signal.js';
import type { AddSignalPlan, SignalReach, SignalRecord } from '../../ports/signal.js';
import { signalColumns, toSignal, type SignalRow } from '../rows/signal-row.js';
import type { Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';
import { removePushes } from './pushes.js';

export interface SignalId {
  sessionId: string;
  id: string;
}

const expiredPerStep = 50;
const prunedPerStep = 100;
const sessionsPerRead = 100;

export function* findSignal(tx: Statements, { sessionId, id }: SignalId): Steps<SignalRecord | null> {
  // uses signal's key and signal_recipient's key
  const row = yield* tx.get<SignalRow>(`select ${signalColumns} from signal s where s.session_id = ? and s.id = ?`, [
    sessionId,
    id,
  ]);
  return row === undefined ? null : toSignal(row);
}

export function* findSignalWithKey(
  tx: Statements,
  { sessionId, sender, key }: { sessionId: string; sender: string; key: string },
): Steps<{ signal: SignalRecord; mac: string } | undefined> {
  // uses signal_by_idempotency
  const row = yield* tx.get<SignalRow & { request_mac: string }>(
    `select ${signalColumns}, s.request_mac from signal s
     where s.session_id = ? and s.sender = ? and s.idempotency_key = ?`,
    [sessionId, sender, key],
  );
  return row === undefined ? undefined : { signal: toSignal(row), mac: row.request_mac };
}

/** Those past their time do not count. */
export function* countPending(
  tx: Statements,
  { sessionId, sender, now }: { sessionId: string; sender: string; now: number },
): Steps<number> {
  // uses signal_by_sender
  const row = yield* tx.get<{ count: number }>(
    `select count(*) as count from signal where session_id = ? and sender = ? and status = 'pending'
     and (expires_at is null or expires_at > ?)`,
    [sessionId, sender, now],
  );
  return row?.count ?? 0;
}

export function* insertSignal(tx: Statements, { signal, key }: AddSignalPlan): Steps<void> {
  const { sessionId, id, askedAt } = signal;
  yield* tx.run(
    `insert into signal (session_id, id, kind, sender, status, level, priority, alert_type, thread_id, in_reply_to,
       project_id, label, option_count, call_hash, body, default_answer, asked_at, expires_at, idempotency_key,
       request_mac)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      sessionId,
      id,
      signal.kind,
      signal.sender,
      signal.kind === 'alert' ? 'sent' : 'pending',
      signal.level,
      signal.priority,
      signal.alertType,
      signal.threadId,
      signal.inReplyTo,
      signal.projectId,
      signal.label,
      signal.optionCount,
      signal.callHash,
      JSON.stringify(signal.body),
      signal.defaultAnswer === null ? null : JSON.stringify(signal.defaultAnswer),
      askedAt,
      signal.expiresAt,
      key?.key ?? null,
      key?.mac ?? null,
    ],
  );
  for (const person of signal.people) {
    yield* tx.run('insert into signal_recipient (session_id, person_id, signal_id, asked_at) values (?, ?, ?, ?)', [
      sessionId,
      person,
      id,
      askedAt,
    ]);
  }
}

export function* signalReach(tx: Statements, { sessionId, id }: SignalId): Steps<SignalReach> {
  // uses signal_recipient's key, device_by_person and channel_by_person
  const row = yield* tx.get<SignalReach>(
    `select (select count(*) from signal_recipient r join device d
               on d.session_id = r.session_id and d.person_id = r.person_id
               where r.session_id = ? and r.signal_id = ? and d.revoked_at is null) as devices,
            (select count(*) from signal_recipient r join channel c
               on c.session_id = r.session_id and c.person_id = r.person_id
               where r.session_id = ? and r.signal_id = ?) as channels`,
    [sessionId, id, sessionId, id],
  );
  return row ?? { devices: 0, channels: 0 };
}

/** False if it was not pending any more. Its pushes end with it. */
export function* endSignalRow(tx: Statements, ended: SignalRecord): Steps<boolean> {
  const { sessionId, id, status, answer, answeredBy, answeredOn, endedAt } = ended;
  // uses signal's key
  const changed = yield* tx.run(
    `update signal set status = ?, answer = ?, answered_by = ?, answered_on = ?, ended_at = ?
     where session_id = ? and id = ? and status = 'pending'`,
    [status, answer === null ? null : JSON.stringify(answer), answeredBy, answeredOn, endedAt, sessionId, id],
  );
  if (changed === 0) return false;
  yield* removePushes(tx, ended);
  return true;
}

export function* sessionsWithDueSignals(tx: Statements, { now }: { now: number }): Steps<string[]> {
  // uses signal_by_expiry
  const rows = yield* tx.all<{ session_id: string }>(
    `/* all sessions: questions past their time */ select distinct session_id from signal
     where status = 'pending' and expires_at is not null and expires_at <= ? order by session_id limit ?`,
    [now, sessionsPerRead],
  );
  return rows.map((row) => row.session_id);
}

export function* dueSignals(
  tx: Statements,
  { sessionId, now }: { sessionId: string; now: number },
): Steps<{ signals: SignalRecord[]; hasMore: boolean }> {
  // uses signal_by_expiry
  const rows = yield* tx.all<SignalRow>(
    `select ${signalColumns} from signal s where s.session_id = ? and s.status = 'pending'
     and s.expires_at is not null and s.expires_at <= ? order by s.expires_at, s.id limit ?`,
    [sessionId, now, expiredPerStep + 1],
  );
  return {
    signals: rows.slice(0, expiredPerStep).map((row) => asOf(toSignal(row), now)),
    hasMore: rows.length > expiredPerStep,
  };
}

export function* listSignals(
  tx: Statements,
  query: Parameters<SignalStore['listSignals']>[0],
): Steps<{ signals: SignalRecord[]; before: (string | number)[] | null }> {
  const { sessionId, of, limit } = query;
  const { filter, values } = filterOf(query, 's.asked_at', 's.id');
  const page = 'order by s.asked_at desc, s.id desc limit ?';
  const received = filterOf(query, 'r.asked_at', 'r.signal_id').filter;
  const rows =
    of === null
      ? // uses signal_by_age
        yield* tx.all<SignalRow>(`select ${signalColumns} from signal s where s.session_id = ? and ${filter} ${page}`, [
          sessionId,
          ...values,
          limit + 1,
        ])
      : // uses signal_by_sender and signal_recipient_by_person, then signal's key
        yield* tx.all<SignalRow>(
          `select ${signalColumns} from signal s where s.session_id = ? and s.id in (
             select id from (select s.id from signal s
               where s.session_id = ? and s.sender = ? and ${filter} ${page}) sent
             union
             select signal_id from (select r.signal_id from signal_recipient r
               join signal s on s.session_id = r.session_id and s.id = r.signal_id
               where r.session_id = ? and r.person_id = ? and ${received}
               order by r.asked_at desc, r.signal_id desc limit ?) received
           ) ${page}`,
          [sessionId, sessionId, of, ...values, limit + 1, sessionId, of, ...values, limit + 1, limit + 1],
        );
  const signals = rows.slice(0, limit).map(toSignal);
  const last = signals.at(-1);
  return { signals, before: rows.length > limit && last !== undefined ? [last.askedAt, last.id] : null };
}

function filterOf(
  { kinds, status, now, before }: Parameters<SignalStore['listSignals']>[0],
  ...position: [at: string, id: string]
): {
  filter: string;
  values: (string | number)[];
} {
  const conditions: [string, (string | number)[]][] = [
    [kinds === 'alerts' ? "s.kind = 'alert'" : "s.kind <> 'alert'", []],
  ];
  if (status === 'pending')
    conditions.push(["s.status = 'pending' and (s.expires_at is null or s.expires_at > ?)", [now]]);
  else if (status === 'expired')
    conditions.push(["(s.status = 'expired' or (s.status = 'pending' and s.expires_at <= ?))", [now]]);
  else if (status !== null) conditions.push(['s.status = ?', [status]]);
  if (before !== null) conditions.push([`(${position.join(', ')}) < (?, ?)`, before]);
  return {
    filter: conditions.map(([condition]) => condition).join(' and '),
    values: conditions.flatMap(([, values]) => values),
  };
}

/** Those that ended before then. */
export function* pruneSignals(
  tx: Statements,
  { sessionId, before }: { sessionId: string; before: number },
): Steps<{ removed: number; hasMore: boolean }> {
  // uses signal_by_age
  const rows = yield* tx.all<{ id: string }>(
    `select id from signal where session_id = ? and asked_at < ? and status <> 'pending'
     and coalesce(ended_at, asked_at) < ? order by asked_at, id limit ?`,
    [sessionId, before, before, prunedPerStep],
  );
  for (const { id } of rows) {
    yield* removePushes(tx, { sessionId, id });
    yield* tx.run('delete from signal_recipient where session_id = ? and signal_id = ?', [sessionId, id]);
    yield* tx.run('delete from signal where session_id = ? and id = ?', [sessionId, id]);
  }
  return { removed: rows.length, hasMore: rows.length === prunedPerStep };
}

/** By id. */
export function* peopleOf(
  tx: Statements,
  sessionId: string,
  limit: number,
): Steps<readonly { id: string; isUnseen: boolean }[]> {
  // uses agent's key
  const rows = yield* tx.all<{ id: string; seen: number }>(
    "select id, last_seen_at as seen from agent where session_id = ? and kind = 'human' order by id limit ?",
    [sessionId, limit],
  );
  // Sorted here: PostgreSQL's collation depends on the installation.
  return rows
    .map(({ id, seen }) => ({ id, isUnseen: seen === 0 }))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
}
