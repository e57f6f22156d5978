// Device rows: SQL that is the same in both databases. A device that signs in names no session.
import type { DeviceRecord } from '../../ports/signal.js';
import type { Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';

const columns = `d.session_id, d.id, d.person_id, d.name, d.kid, d.encryption, d.signing, d.mac, d.paired_at,
  d.verified_at, d.revoked_at, d.last_seen_at,
  (select max(k.last_used_at) from access_key k where k.device_id = d.id) as last_used_at`;

interface DeviceRow {
  session_id: string;
  id: string;
  person_id: string;
  name: string;
  kid: string;
  encryption: string;
  signing: string;
  mac: string | null;
  paired_at: number;
  verified_at: number | null;
  revoked_at: number | null;
  /** Of its last sign-in; the key's use is later. */
  last_seen_at: number | null;
  last_used_at: number | null;
}

function toDevice(row: DeviceRow): DeviceRecord {
  return {
    sessionId: row.session_id,
    id: row.id,
    personId: row.person_id,
    name: row.name,
    kid: row.kid,
    encryption: row.encryption,
    signing: row.signing,
    mac: row.mac,
    pairedAt: row.paired_at,
    verifiedAt: row.verified_at,
    revokedAt: row.revoked_at,
    lastSeenAt: row.last_used_at ?? row.last_seen_at,
  };
}

/** Also one that is revoked. */
export function* deviceById(tx: Statements, id: string): Steps<DeviceRecord | undefined> {
  // uses device_by_id
  const row = yield* tx.get<DeviceRow>(`select ${columns} from device d where d.id = ?`, [id]);
  return row === undefined ? undefined : toDevice(row);
}

/** Also one that is revoked. */
export function* deviceByKid(tx: Statements, sessionId: string, kid: string): Steps<DeviceRecord | undefined> {
  // uses device_by_kid
  const row = yield* tx.get<DeviceRow>(`select ${columns} from device d where d.session_id = ? and d.kid = ?`, [
    sessionId,
    kid,
  ]);
  return row === undefined ? undefined : toDevice(row);
}

/** By age, without those that are revoked. */
export function* devicesOf(
  tx: Statements,
  { sessionId, people, limit }: { sessionId: string; people: readonly string[] | null; limit: number },
): Steps<DeviceRecord[]> {
  const named = people === null ? '' : ` and d.person_id in (${people.map(() => '?').join(', ')})`;
  // uses device_by_person
  const rows = yield* tx.all<DeviceRow>(
    `select ${columns} from device d where d.session_id = ?${named} and d.revoked_at is null
     order by d.paired_at, d.id limit ?`,
    [sessionId, ...(people ?? []), limit],
  );
  return rows.map(toDevice);
}

export function* insertDevice(tx: Statements, device: DeviceRecord): Steps<void> {
  const { sessionId, id, personId, name, kid, encryption, signing, mac, pairedAt, lastSeenAt } = device;
  yield* tx.run(
    `insert into device (session_id, id, person_id, name, kid, encryption, signing, mac, paired_at, last_seen_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [sessionId, id, personId, name, kid, encryption, signing, mac, pairedAt, lastSeenAt],
  );
}

export type ChangedDevice = Partial<Pick<DeviceRow, 'name' | 'mac' | 'verified_at' | 'revoked_at' | 'last_seen_at'>>;

/** False if it is revoked, also by another hub just now. Until the commit nobody else changes it. */
export function* updateDevice(
  tx: Statements,
  { sessionId, id }: Pick<DeviceRecord, 'sessionId' | 'id'>,
  changed: ChangedDevice,
): Steps<boolean> {
  const names = Object.keys(changed).map((name) => `${name} = ?`);
  const count = yield* tx.run(
    `update device set ${names.join(', ')} where session_id = ? and id = ? and revoked_at is null`,
    [...Object.values(changed), sessionId, id],
  );
  return count > 0;
}

/** Of all sessions. */
export function* unverifyDevices(tx: Statements): Steps<void> {
  yield* tx.run(
    '/* all sessions: what was verified in open mode */ update device set verified_at = null where verified_at is not null',
    [],
  );
}

/** What would be pushed to it, and where. */
export function* deleteChannelsOf(tx: Statements, sessionId: string, deviceId: string): Steps<void> {
  // uses the keys of push and channel
  yield* tx.run(
    `delete from push where session_id = ? and channel_id in
       (select id from channel where session_id = ? and device_id = ?)`,
    [sessionId, sessionId, deviceId],
  );
  yield* tx.run('delete from channel where session_id = ? and device_id = ?', [sessionId, deviceId]);
}
