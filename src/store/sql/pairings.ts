// Pairing rows: SQL that is the same in both databases. A pairing is redeemed before its session is known.
import type { NewPairing } from '../../ports/devices.js';
import type { ObserverLinkPlan } from '../../ports/keys.js';
import type { Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';

export interface PairingRow {
  id: string;
  session_id: string;
  person_id: string;
  claim_hash: string;
  code_hash: string | null;
  tries_left: number;
  expires_at: number;
  used_at: number | null;
  device_id: string | null;
}

const columns = 'id, session_id, person_id, claim_hash, code_hash, tries_left, expires_at, used_at, device_id';

/** The key of an observer's link is where a pairing has its device; such a link has no person. */
export function* insertLink(
  tx: Statements,
  { id, claimHash, expiresAt }: ObserverLinkPlan['link'],
  { sessionId, keyId, at, tries }: { sessionId: string; keyId: string; at: number; tries: number },
): Steps<void> {
  yield* tx.run(
    `insert into pairing (id, session_id, person_id, claim_hash, tries_left, created_at, created_by, expires_at, device_id)
     values (?, ?, '', ?, ?, ?, ?, ?, ?)`,
    [id, sessionId, claimHash, tries, at, keyId, expiresAt, keyId],
  );
}

export function* pairingById(tx: Statements, id: string): Steps<PairingRow | undefined> {
  // uses pairing's key
  return yield* tx.get<PairingRow>(`select ${columns} from pairing where id = ?`, [id]);
}

/** Those whose ids begin like this: usually one. */
export function* pairingsLike(tx: Statements, idPrefix: string, limit: number): Steps<PairingRow[]> {
  // uses pairing's key; ids are letters and digits
  return yield* tx.all<PairingRow>(`select ${columns} from pairing where id >= ? and id < ? order by id limit ?`, [
    idPrefix,
    `${idPrefix}~`,
    limit,
  ]);
}

export function* openPairings(
  tx: Statements,
  { sessionId, personId, at }: Pick<NewPairing, 'sessionId' | 'personId' | 'at'>,
): Steps<number> {
  // uses pairing_by_expiry
  const row = yield* tx.get<{ n: number }>(
    `select count(*) as n from pairing where expires_at > ? and session_id = ? and person_id = ? and used_at is null
       and tries_left > 0`,
    [at, sessionId, personId],
  );
  return row?.n ?? 0;
}

export function* insertPairing(tx: Statements, pairing: NewPairing, tries: number): Steps<void> {
  const { id, sessionId, personId, claimHash, codeHash, at, createdBy, expiresAt } = pairing;
  yield* tx.run(
    `insert into pairing (id, session_id, person_id, claim_hash, code_hash, tries_left, created_at, created_by, expires_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [id, sessionId, personId, claimHash ?? '', codeHash, tries, at, createdBy, expiresAt],
  );
}

/** False if it is over. Until the commit nobody else redeems it. */
export function* takeTry(tx: Statements, id: string, at: number): Steps<boolean> {
  const changed = yield* tx.run(
    `update pairing set tries_left = tries_left - 1
     where id = ? and used_at is null and tries_left > 0 and expires_at > ?`,
    [id, at],
  );
  return changed > 0;
}

export function* markUsed(tx: Statements, id: string, { deviceId, at }: { deviceId: string; at: number }): Steps<void> {
  yield* tx.run('update pairing set used_at = ?, device_id = ? where id = ?', [at, deviceId, id]);
}

export function* deletePairingsBefore(tx: Statements, at: number): Steps<void> {
  // uses pairing_by_expiry
  yield* tx.run('delete from pairing where expires_at < ?', [at]);
}
