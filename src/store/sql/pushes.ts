// The outbox of pushes: SQL that is the same in both databases. A push is taken by compare-and-set on its due time, so
// that two hubs never send it at once.
import type { ChannelStore, PushedSignal, TakenPush } from '../../ports/channels.js';
import { limits } from '../../contract/limits.js';
import type { PublicKeys } from '../../contract/signal/signal.js';
import { signalColumns, toSignal, type SignalRow } from '../rows/signal-row.js';
import type { Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';
import { noteChannel, readPersonPrefs, removeChannel, toChannel, type ChannelRow } from './channels.js';

/** Push services keep nothing longer. */
const pushDaysMax = 28;
const programsMax = 100;
const dayMs = 24 * 60 * 60_000;

/** One for each channel of each recipient. Called in the transaction that inserts the signal and its recipients. */
export function* insertPushes(
  tx: Statements,
  signal: { sessionId: string; id: string; askedAt: number; expiresAt: number | null },
): Steps<void> {
  const { sessionId, id, askedAt, expiresAt } = signal;
  // uses signal_recipient's key, then channel_by_person
  yield* tx.run(
    `insert into push (session_id, id, signal_id, channel_id, due_at, token, attempts, expires_at)
     select r.session_id, r.signal_id || '.' || c.id, r.signal_id, c.id, cast(? as bigint), null, 0, cast(? as bigint)
     from signal_recipient r
     join channel c on c.session_id = r.session_id and c.person_id = r.person_id
     where r.session_id = ? and r.signal_id = ?`,
    [askedAt, pushUntil(askedAt, expiresAt), sessionId, id],
  );
}

function pushUntil(askedAt: number, expiresAt: number | null): number {
  const latest = askedAt + pushDaysMax * dayMs;
  return expiresAt === null ? latest : Math.min(expiresAt, latest);
}

/** Called in the transaction that ends the signal. */
export function* removePushes(tx: Statements, { sessionId, id }: { sessionId: string; id: string }): Steps<void> {
  // uses push_by_signal
  yield* tx.run('delete from push where session_id = ? and signal_id = ?', [sessionId, id]);
}

interface DueRow {
  session_id: string;
  id: string;
  signal_id: string;
  channel_id: string;
  due_at: number;
  attempts: number;
  expires_at: number;
}

export function* takePushes(tx: Statements, request: Parameters<ChannelStore['takePushes']>[0]): Steps<TakenPush[]> {
  const { token, limit } = request;
  const now = yield* tx.sharedTime(request.now);
  const leasedUntil = now + request.leaseMs;
  // uses push_by_due
  const due = yield* tx.all<DueRow>(
    `/* all sessions: pushes that are due */ select session_id, id, signal_id, channel_id, due_at, attempts, expires_at
     from push where due_at <= ? order by due_at, session_id, id limit ?`,
    [now, limit],
  );
  const taken: TakenPush[] = [];
  for (const row of due) {
    const push = yield* takeOne(tx, row, { now, leasedUntil, token });
    if (push !== undefined) taken.push(push);
  }
  return taken;
}

function* takeOne(
  tx: Statements,
  row: DueRow,
  { now, leasedUntil, token }: { now: number; leasedUntil: number; token: string },
): Steps<TakenPush | undefined> {
  const { session_id: sessionId, id } = row;
  const changed = yield* tx.run(
    'update push set due_at = ?, token = ? where session_id = ? and id = ? and due_at = ?',
    [leasedUntil, token, sessionId, id, row.due_at],
  );
  if (changed === 0) return undefined;
  const channel = yield* channelWithKid(tx, sessionId, row.channel_id);
  const signal = yield* pushedSignal(tx, sessionId, row.signal_id);
  if (channel === undefined || signal === undefined || row.expires_at <= now) {
    yield* tx.run('delete from push where session_id = ? and id = ?', [sessionId, id]);
    return undefined;
  }
  const prefs = yield* readPersonPrefs(tx, { sessionId, personId: channel.person_id });
  const { attempts, expires_at: expiresAt } = row;
  const found = { channel: toChannel(sessionId, channel), kid: channel.kid, signal, prefs };
  return { sessionId, id, token, attempts, expiresAt, ...found };
}

function* channelWithKid(
  tx: Statements,
  sessionId: string,
  id: string,
): Steps<(ChannelRow & { kid: string | null }) | undefined> {
  // uses the keys of channel and device; the subscription of a revoked device is not used
  return yield* tx.get<ChannelRow & { kid: string | null }>(
    `select c.id, c.person_id, c.device_id, c.kind, c.label, c.settings, c.created_at, c.last_ok_at, c.fault, c.fault_at, d.kid
     from channel c left join device d on d.session_id = c.session_id and d.id = c.device_id
     where c.session_id = ? and c.id = ? and d.revoked_at is null`,
    [sessionId, id],
  );
}

/** Undefined if it has ended. */
function* pushedSignal(tx: Statements, sessionId: string, id: string): Steps<PushedSignal | undefined> {
  // uses the keys of signal and agent
  const row = yield* tx.get<SignalRow & { sender_name: string | null }>(
    `select ${signalColumns},
       (select a.name from agent a where a.session_id = s.session_id and a.id = s.sender) as sender_name
     from signal s where s.session_id = ? and s.id = ?`,
    [sessionId, id],
  );
  if (row === undefined) return undefined;
  const signal = toSignal(row);
  if (signal.status !== 'pending' && signal.status !== 'sent') return undefined;
  const { sender, level } = signal;
  const agentKeys = level === 'end_to_end' ? yield* keysOfPrograms(tx, sessionId, sender) : [];
  return { ...signal, senderName: row.sender_name ?? sender, agentKeys };
}

/** Of the programs that seal for the agent. */
function* keysOfPrograms(tx: Statements, sessionId: string, agentId: string): Steps<PublicKeys[]> {
  // uses the key of agent_signal_key
  return yield* tx.all<PublicKeys>(
    'select kid, encryption, signing from agent_signal_key where session_id = ? and agent_id = ? order by kid limit ?',
    [sessionId, agentId, programsMax],
  );
}

export function* settlePush(
  tx: Statements,
  { sessionId, id, token, outcome }: Parameters<ChannelStore['settlePush']>[0],
): Steps<void> {
  // uses the key of push
  const row = yield* tx.get<{ channel_id: string }>(
    'select channel_id from push where session_id = ? and id = ? and token = ?',
    [sessionId, id, token],
  );
  if (row === undefined) return;
  const channel = { sessionId, id: row.channel_id };
  if (outcome.kind === 'gone') {
    yield* removeChannel(tx, channel);
  } else if (outcome.kind === 'sent') {
    yield* tx.run('delete from push where session_id = ? and id = ?', [sessionId, id]);
    yield* noteChannel(tx, { ...channel, at: outcome.at, fault: null });
  } else {
    const { delayMs, at, fault } = outcome;
    const dueAt = (yield* tx.sharedTime(at)) + delayMs;
    yield* tx.run(
      'update push set due_at = ?, token = null, attempts = attempts + ? where session_id = ? and id = ? and token = ?',
      [dueAt, fault === null ? 0 : 1, sessionId, id, token],
    );
    if (fault !== null) yield* noteChannel(tx, { ...channel, at, fault });
  }
}

export function* countPushes(tx: Statements): Steps<{ waiting: number; oldestDueAt: number | null }> {
  const row = yield* tx.get<{ waiting: number; oldest: number | null }>(
    // the oldest by push_by_due
    `/* all sessions: pushes that wait */ select (select count(*) from (select 1 from push limit ?) counted) as waiting,
       (select min(due_at) from push) as oldest`,
    [limits.totals],
  );
  return { waiting: row?.waiting ?? 0, oldestDueAt: row?.oldest ?? null };
}
