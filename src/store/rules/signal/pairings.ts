// Starts pairings, and makes devices of those that redeem one.
import { limits } from '../../../contract/limits.js';
import type { DeviceStore, PairingProof, PairingRecord } from '../../../ports/devices.js';
import type { DeviceRecord } from '../../../ports/signal.js';
import {
  keysTaken,
  pairingTries,
  personUnknown,
  tooManyDevices,
  tooManyPairings,
} from '../../../signal/pair/decide-pairing.js';
import { findAgent } from '../../sql/agents.js';
import { appendAudit } from '../../sql/audit.js';
import { deviceById, deviceByKid, devicesOf, insertDevice, updateDevice } from '../../sql/devices.js';
import {
  deletePairingsBefore,
  insertPairing,
  markUsed,
  openPairings,
  pairingById,
  pairingsLike,
  takeTry,
  type PairingRow,
} from '../../sql/pairings.js';
import { addSignIn } from './devices.js';
import { requireOpen } from '../sessions.js';
import type { Statements } from '../statements.js';
import type { Steps } from '../steps.js';

type Plan<Name extends keyof DeviceStore> = Parameters<DeviceStore[Name]>[0];

/** Of a day: who waits for one hears how it ended. */
export const keptMs = 24 * 60 * 60_000;

export function* startPairing(tx: Statements, plan: Plan<'startPairing'>): Steps<void> {
  const { sessionId, personId, at } = plan;
  yield* requireOpen(tx, sessionId);
  if (!(yield* isPerson(tx, sessionId, personId))) throw personUnknown(personId);
  yield* deletePairingsBefore(tx, at - keptMs);
  if ((yield* openPairings(tx, plan)) >= limits.pairings) throw tooManyPairings(personId, limits.pairings);
  yield* insertPairing(tx, plan, pairingTries);
}

function* isPerson(tx: Statements, sessionId: string, id: string): Steps<boolean> {
  return (yield* findAgent(tx, sessionId, id))?.kind === 'human';
}

/** Such a link is kept beside the pairings, and has no person. */
export function isObserverLink({ person_id: person }: PairingRow): boolean {
  return person === '';
}

export function* findPairing(tx: Statements, { id }: Plan<'findPairing'>): Steps<PairingRecord | null> {
  const row = yield* pairingById(tx, id);
  if (row === undefined || isObserverLink(row)) return null;
  return {
    id,
    sessionId: row.session_id,
    personId: row.person_id,
    triesLeft: row.tries_left,
    expiresAt: row.expires_at,
    usedAt: row.used_at,
    device: row.device_id === null ? null : ((yield* deviceById(tx, row.device_id)) ?? null),
  };
}

export function* redeemPairing(tx: Statements, plan: Plan<'redeemPairing'>): Steps<DeviceRecord | null> {
  const { proof, at } = plan;
  const pairing = yield* provenPairing(tx, proof, at);
  if (pairing === undefined) return null;
  const { id, session_id: sessionId, person_id: personId } = pairing;
  yield* requireOpen(tx, sessionId);
  if (!(yield* isPerson(tx, sessionId, personId))) return null;
  const how = 'id' in proof ? 'link' : 'code';
  const device = yield* pairDevice(tx, { ...plan, sessionId, personId }, how);
  yield* markUsed(tx, id, { deviceId: device.id, at });
  return device;
}

/** A wrong proof costs the pairing a try, and is committed. */
function* provenPairing(tx: Statements, proof: PairingProof, at: number): Steps<PairingRow | undefined> {
  const named = 'id' in proof ? yield* pairingById(tx, proof.id) : undefined;
  const rows = 'id' in proof ? (named === undefined ? [] : [named]) : yield* pairingsLike(tx, proof.idPrefix, 10);
  for (const row of rows) {
    if (!(yield* takeTry(tx, row.id, at))) continue;
    const isProven = 'id' in proof ? row.claim_hash === proof.claimHash : row.code_hash === proof.codeHash;
    if (isProven) return row;
  }
  return undefined;
}

export function* pairLocally(tx: Statements, plan: Plan<'pairLocally'>): Steps<DeviceRecord> {
  const { sessionId, personId } = plan;
  yield* requireOpen(tx, sessionId);
  if (!(yield* isPerson(tx, sessionId, personId))) throw personUnknown(personId);
  return yield* pairDevice(tx, plan, 'page');
}

/** Keys that are known already are the same device again. */
function* pairDevice(
  tx: Statements,
  { sessionId, personId, device: shown, signIn, at, address }: Plan<'pairLocally'>,
  how: string,
): Steps<DeviceRecord> {
  const before = yield* deviceByKid(tx, sessionId, shown.kid);
  if (before !== undefined && before.personId !== personId) throw keysTaken();
  const fresh = { sessionId, personId, pairedAt: at, verifiedAt: null, revokedAt: null };
  const device = { ...fresh, ...before, ...shown, id: before?.id ?? shown.id, lastSeenAt: at };
  if (before === undefined) {
    const others = yield* devicesOf(tx, { sessionId, people: [personId], limit: limits.devices });
    if (others.length >= limits.devices) throw tooManyDevices(personId, limits.devices);
    yield* insertDevice(tx, device);
  } else if (!(yield* updateDevice(tx, device, { name: device.name, mac: device.mac, last_seen_at: at })))
    throw keysTaken();
  yield* addSignIn(tx, device, { signIn, at });
  const audit = { sessionId, at, actor: personId, keyId: null, address, act: 'pair_device', target: device.id };
  yield* appendAudit(tx, { ...audit, details: { name: device.name, how } });
  return device;
}
