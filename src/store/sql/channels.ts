// Channels to people and what people prefer: SQL that is the same in both databases.
import { defaultPersonPrefs, type PersonPrefs } from '../../contract/signal/channel.js';
import type { ChannelRecord, ChannelStore } from '../../ports/channels.js';
import { HubError } from '../../contract/errors.js';
import { limits } from '../../contract/limits.js';
import type { Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';

export interface ChannelRow {
  id: string;
  person_id: string;
  device_id: string | null;
  kind: ChannelRecord['kind'];
  label: string;
  settings: string;
  created_at: number;
  last_ok_at: number | null;
  fault: string | null;
  fault_at: number | null;
}

const columns = 'id, person_id, device_id, kind, label, settings, created_at, last_ok_at, fault, fault_at';

export function toChannel(sessionId: string, row: ChannelRow): ChannelRecord {
  return {
    sessionId,
    id: row.id,
    personId: row.person_id,
    deviceId: row.device_id,
    kind: row.kind,
    label: row.label,
    settings: row.settings,
    createdAt: row.created_at,
    lastOkAt: row.last_ok_at,
    fault: row.fault,
    faultAt: row.fault_at,
  };
}

export function* saveChannel(
  tx: Statements,
  { replaces, ...channel }: Parameters<ChannelStore['saveChannel']>[0],
): Steps<ChannelRecord> {
  const { sessionId, id, personId, deviceId, kind, label, settings, createdAt } = channel;
  const others = yield* listChannels(tx, { sessionId, personId });
  const isReplaced = (other: ChannelRecord) =>
    other.id === replaces || (deviceId !== null && other.deviceId === deviceId);
  for (const other of others.filter(isReplaced)) yield* removeChannel(tx, { sessionId, id: other.id });
  if (others.filter((other) => !isReplaced(other)).length >= limits.channels) throw tooMany();
  yield* tx.run(
    `insert into channel (session_id, id, person_id, device_id, kind, label, settings, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
    [sessionId, id, personId, deviceId, kind, label, settings, createdAt],
  );
  return { ...channel, lastOkAt: null, fault: null, faultAt: null };
}

function tooMany(): HubError {
  return new HubError('LIMIT_REACHED', `A person may have ${limits.channels} channels.`, {
    hint: 'Remove one that is no longer used: list_channels, then remove_channel.',
    details: { limit: 'channels', max: limits.channels },
  });
}

export function* listChannels(
  tx: Statements,
  { sessionId, personId }: Parameters<ChannelStore['listChannels']>[0],
): Steps<ChannelRecord[]> {
  // uses channel_by_person
  const rows = yield* tx.all<ChannelRow>(
    `select ${columns} from channel where session_id = ?${personId === null ? '' : ' and person_id = ?'}
     order by person_id, created_at, id limit ?`,
    [sessionId, ...(personId === null ? [] : [personId]), limits.pageSize],
  );
  return rows.map((row) => toChannel(sessionId, row));
}

/** With the pushes that wait for it. */
export function* removeChannel(tx: Statements, { sessionId, id }: { sessionId: string; id: string }): Steps<boolean> {
  // uses the key of push: few wait in one session
  yield* tx.run('delete from push where session_id = ? and channel_id = ?', [sessionId, id]);
  return (yield* tx.run('delete from channel where session_id = ? and id = ?', [sessionId, id])) > 0;
}

export function* noteChannel(
  tx: Statements,
  { sessionId, id, at, fault }: Parameters<ChannelStore['noteChannel']>[0],
): Steps<void> {
  if (fault === null)
    yield* tx.run('update channel set last_ok_at = ?, fault = null, fault_at = null where session_id = ? and id = ?', [
      at,
      sessionId,
      id,
    ]);
  else
    yield* tx.run('update channel set fault = ?, fault_at = ? where session_id = ? and id = ?', [
      fault,
      at,
      sessionId,
      id,
    ]);
}

export function* readPersonPrefs(
  tx: Statements,
  { sessionId, personId }: Parameters<ChannelStore['readPersonPrefs']>[0],
): Steps<PersonPrefs> {
  // uses the key of person_prefs
  const row = yield* tx.get<{ prefs: string }>(
    'select prefs from person_prefs where session_id = ? and person_id = ?',
    [sessionId, personId],
  );
  return row === undefined ? defaultPersonPrefs : (JSON.parse(row.prefs) as PersonPrefs);
}

export function* setPersonPrefs(
  tx: Statements,
  { sessionId, personId, prefs }: Parameters<ChannelStore['setPersonPrefs']>[0],
): Steps<void> {
  yield* tx.run(
    `insert into person_prefs (session_id, person_id, prefs) values (?, ?, ?)
     on conflict (session_id, person_id) do update set prefs = excluded.prefs`,
    [sessionId, personId, JSON.stringify(prefs)],
  );
}
