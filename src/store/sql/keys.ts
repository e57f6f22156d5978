// Key rows: SQL that is the same in both databases. Keys are looked up before a session is known, so most statements name
// no session.
import type { AgentKind } from '../../contract/agent.js';
import type { KeyCapability } from '../../contract/operation.js';
import type { GrantDevice } from '../../ports/caller.js';
import type { KeyLookup, KeyRecord, KeyState, NewKey, Store } from '../../ports/store.js';
import type { Inbox, Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';

const columns = `k.id, k.session_id, k.agent_id, k.capabilities, k.label, k.created_at, k.created_by, k.expires_at,
  k.revoked_at, k.last_used_at`;

interface KeyRow {
  id: string;
  session_id: string;
  agent_id: string | null;
  capabilities: string;
  label: string;
  created_at: number;
  created_by: string;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

function toKey(row: KeyRow): KeyRecord {
  return {
    id: row.id,
    sessionId: row.session_id,
    agentId: row.agent_id,
    capabilities: JSON.parse(row.capabilities) as KeyCapability[],
    label: row.label,
    createdAt: row.created_at,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}

export function* findKey(tx: Statements, { id }: { id: string }): Steps<KeyLookup | null> {
  // uses the keys of access_key, agent and device
  const row = yield* tx.get<KeyRow & DeviceOfKey & { hash: string; kind: AgentKind | null }>(
    `select ${columns}, k.hash, a.kind, k.device_id, d.name as device_name, d.verified_at from access_key k
     left join agent a on a.session_id = k.session_id and a.id = k.agent_id
     left join device d on d.session_id = k.session_id and d.id = k.device_id where k.id = ?`,
    [id],
  );
  if (row === undefined) return null;
  const { hash, kind, device_id: signInOf } = row;
  return { ...toKey(row), hash, kind: kind ?? 'agent', signInOf, device: deviceOf(row) };
}

interface DeviceOfKey {
  /** Of a sign-in: the device, or the key, that it belongs to. */
  device_id: string | null;
  /** Null also for the sign-in of a key. */
  device_name: string | null;
  verified_at: number | null;
}

function deviceOf({ device_id: id, device_name: name, verified_at: verifiedAt }: DeviceOfKey): GrantDevice | null {
  return id === null || name === null ? null : { id, name, isVerified: verifiedAt !== null };
}

/** Whether a key for this name works at that time. */
export function* hasKey(tx: Statements, { sessionId, agentId }: Inbox, at: number): Steps<boolean> {
  // uses access_key_by_session
  const row = yield* tx.get(
    `select 1 from access_key where session_id = ? and agent_id = ? and device_id is null and revoked_at is null
       and (expires_at is null or expires_at > ?) limit 1`,
    [sessionId, agentId, at],
  );
  return row !== undefined;
}

export function* insertKey(tx: Statements, key: NewKey): Steps<void> {
  const { id, hash, sessionId, agentId, label, at, createdBy, expiresAt } = key;
  yield* tx.run(
    `insert into access_key
       (id, session_id, agent_id, capabilities, hash, label, created_at, created_by, expires_at, device_id)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      id,
      sessionId,
      agentId,
      JSON.stringify(key.capabilities),
      hash,
      label,
      at,
      createdBy,
      expiresAt,
      key.signInOf ?? null,
    ],
  );
  yield* keysChanged(tx);
}

/** False if it is revoked, also by another hub just now: it stays as it is. */
export function* endKey(
  tx: Statements,
  id: string,
  { revokedAt, expiresAt }: Pick<KeyRecord, 'revokedAt' | 'expiresAt'>,
): Steps<boolean> {
  const changed = yield* tx.run(
    'update access_key set revoked_at = ?, expires_at = ? where id = ? and revoked_at is null',
    [revokedAt, expiresAt, id],
  );
  if (changed === 0) return false;
  yield* keysChanged(tx);
  return true;
}

/** Every hub looks at its keys again. */
export function* keysChanged(tx: Statements): Steps<void> {
  yield* tx.run('update key_version set n = n + 1', []);
}

/** Newest first, without sign-ins. */
export function* listKeys(
  tx: Statements,
  { sessionId, limit, before }: Parameters<Store['listKeys']>[0],
): Steps<Awaited<ReturnType<Store['listKeys']>>> {
  const [at, id] = before ?? [Number.MAX_SAFE_INTEGER, ''];
  // uses access_key_by_session, or access_key_by_age
  const rows = yield* tx.all<KeyRow>(
    `select ${columns} from access_key k
     where ${sessionId === null ? '' : 'k.session_id = ? and '}k.device_id is null and (k.created_at < ? or (k.created_at = ? and k.id < ?))
     order by k.created_at desc, k.id desc limit ?`,
    [...(sessionId === null ? [] : [sessionId]), at ?? 0, at ?? 0, id ?? '', limit + 1],
  );
  const keys = rows.slice(0, limit).map(toKey);
  const last = keys.at(-1);
  return { keys, before: rows.length > limit && last !== undefined ? [last.createdAt, last.id] : null };
}

export function* keyState(tx: Statements): Steps<KeyState> {
  const row = yield* tx.get<{ n: number; found: number }>(
    'select n, (select count(*) from (select 1 from access_key where device_id is null limit 1) as one) as found from key_version',
    [],
  );
  return { version: row?.n ?? 0, hasKeys: (row?.found ?? 0) > 0 };
}

/** A use is no change of the keys: caches stay. In the order of the ids, because other hubs note the same keys. */
export function* noteKeysUsed(tx: Statements, used: { id: string; at: number }[]): Steps<void> {
  for (const { id, at } of used.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    yield* tx.run(
      'update access_key set last_used_at = ? where id = ? and (last_used_at is null or last_used_at < ?)',
      [at, id, at],
    );
  }
}

/** Of a device or a key. */
export function* revokeSignInsOf(tx: Statements, id: string, at: number): Steps<void> {
  // uses access_key_by_device
  yield* tx.run('update access_key set revoked_at = ? where device_id = ? and revoked_at is null', [at, id]);
}

/** None of them lasts longer. */
export function* endSignInsBy(tx: Statements, keyId: string, at: number): Steps<void> {
  // uses access_key_by_device
  yield* tx.run('update access_key set expires_at = ? where device_id = ? and expires_at > ?', [at, keyId, at]);
}

/** Those that are over, and the oldest beyond that number. */
export function* deleteOldSignIns(
  tx: Statements,
  keyId: string,
  { at, kept }: { at: number; kept: number },
): Steps<void> {
  // uses access_key_by_device
  yield* tx.run(
    `delete from access_key where device_id = ? and (expires_at <= ? or id not in
       (select id from access_key where device_id = ? and expires_at > ? order by created_at desc, id limit ?))`,
    [keyId, at, keyId, at, kept],
  );
}

/** False if it has ended. Until the commit nobody else ends it. */
export function* useKey(tx: Statements, id: string, at: number): Steps<boolean> {
  const changed = yield* tx.run(
    'update access_key set last_used_at = ? where id = ? and revoked_at is null and (expires_at is null or expires_at > ?)',
    [at, id, at],
  );
  return changed > 0;
}

export function* deleteSignInsBefore(tx: Statements, deviceId: string, at: number): Steps<void> {
  // uses access_key_by_device
  yield* tx.run('delete from access_key where device_id = ? and created_at < ?', [deviceId, at]);
}

export function* deleteSignIn(tx: Statements, id: string): Steps<void> {
  yield* tx.run('delete from access_key where id = ? and device_id is not null', [id]);
  yield* keysChanged(tx);
}
