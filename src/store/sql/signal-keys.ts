// Public keys of Signal: SQL that is the same in both databases.
import type { HubIdentity } from '../../ports/hub-secret.js';
import type { AgentKeyRecord, SignalKeyStore } from '../../ports/signal-keys.js';
import type { DeviceRecord } from '../../ports/signal.js';
import type { Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';
import { deviceByKid } from './devices.js';

const kidsMax = 1_000;

/** Should two hubs with different secrets have been first at once, the same one is right for both. */
export function* findHubIdentity(tx: Statements): Steps<HubIdentity | null> {
  // a table of one row
  const row = yield* tx.get<HubIdentity>(
    'select kid, encryption, signing, vapid from hub_identity order by created_at, kid limit 1',
    [],
  );
  return row ?? null;
}

export function* insertHubIdentity(tx: Statements, identity: HubIdentity, at: number): Steps<void> {
  const { kid, encryption, signing, vapid } = identity;
  yield* tx.run(
    `insert into hub_identity (kid, encryption, signing, vapid, created_at) values (?, ?, ?, ?, ?)
     on conflict (kid) do nothing`,
    [kid, encryption, signing, vapid, at],
  );
}

export function* findDeviceByKid(
  tx: Statements,
  { sessionId, kid }: { sessionId: string; kid: string },
): Steps<DeviceRecord | null> {
  return (yield* deviceByKid(tx, sessionId, kid)) ?? null;
}

interface AgentKeyRow {
  agent_id: string;
  kid: string;
  encryption: string;
  signing: string;
  created_at: number;
}

export function* findAgentKey(
  tx: Statements,
  { sessionId, agentId, kid }: Parameters<SignalKeyStore['findAgentKey']>[0],
): Steps<AgentKeyRecord | null> {
  // uses agent_signal_key's key
  const row = yield* tx.get<AgentKeyRow>(
    `select agent_id, kid, encryption, signing, created_at from agent_signal_key
     where session_id = ? and agent_id = ? and kid = ?`,
    [sessionId, agentId, kid],
  );
  if (row === undefined) return null;
  const { encryption, signing } = row;
  return { agentId, kid, encryption, signing, createdAt: row.created_at };
}

/** Oldest first. */
export function* agentKids(tx: Statements, sessionId: string, agentId: string): Steps<string[]> {
  // uses agent_signal_key's key
  const rows = yield* tx.all<{ kid: string }>(
    `select kid from agent_signal_key where session_id = ? and agent_id = ? order by created_at, kid limit ${kidsMax}`,
    [sessionId, agentId],
  );
  return rows.map(({ kid }) => kid);
}

export function* insertAgentKey(
  tx: Statements,
  { sessionId, agentId, keys, at }: Parameters<SignalKeyStore['saveAgentKey']>[0],
): Steps<void> {
  yield* tx.run(
    `insert into agent_signal_key (session_id, agent_id, kid, encryption, signing, created_at)
     values (?, ?, ?, ?, ?, ?)
     on conflict (session_id, agent_id, kid) do update set created_at = excluded.created_at`,
    [sessionId, agentId, keys.kid, keys.encryption, keys.signing, at],
  );
}

export function* deleteAgentKey(tx: Statements, key: Parameters<SignalKeyStore['findAgentKey']>[0]): Steps<void> {
  yield* tx.run('delete from agent_signal_key where session_id = ? and agent_id = ? and kid = ?', [
    key.sessionId,
    key.agentId,
    key.kid,
  ]);
}

export function* peopleWithDevices(
  tx: Statements,
  { after, limit }: Parameters<SignalKeyStore['peopleWithDevices']>[0],
): Steps<{ sessionId: string; personId: string }[]> {
  // uses device_by_person
  return yield* tx.all(
    `/* all sessions: people who have devices */ select session_id as "sessionId", person_id as "personId" from device
     where (session_id, person_id) > (?, ?) and revoked_at is null group by session_id, person_id
     order by session_id, person_id limit ?`,
    [after?.sessionId ?? '', after?.personId ?? '', limit],
  );
}
