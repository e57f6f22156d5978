// Changes devices, and signs them in. A sign-in is a key that ends with its device.
import type { DeviceChange, DeviceStore } from '../../../ports/devices.js';
import type { DeviceRecord } from '../../../ports/signal.js';
import { challengeMs, deviceCapabilities, deviceUnknown, openModeEnded } from '../../../signal/pair/decide-pairing.js';
import { appendAudit } from '../../sql/audit.js';
import { deleteChannelsOf, deviceById, devicesOf, updateDevice, type ChangedDevice } from '../../sql/devices.js';
import {
  deleteSignIn,
  deleteSignInsBefore,
  findKey,
  insertKey,
  keysChanged,
  keyState,
  revokeSignInsOf,
} from '../../sql/keys.js';
import { tellOfUnreadable } from './unreadable.js';
import type { Statements } from '../statements.js';
import type { Steps } from '../steps.js';

type Plan<Name extends keyof DeviceStore> = Parameters<DeviceStore[Name]>[0];

/** Devices in one answer; a person has few. */
const listedMax = 1_000;

export function* findDevice(tx: Statements, { id }: Plan<'findDevice'>): Steps<DeviceRecord | null> {
  const found = yield* deviceById(tx, id);
  return found === undefined || found.revokedAt !== null ? null : found;
}

export function* listDevices(tx: Statements, query: Plan<'listDevices'>): Steps<DeviceRecord[]> {
  if (query.people?.length === 0) return [];
  return yield* devicesOf(tx, { ...query, limit: listedMax });
}

export function* changeDevice(tx: Statements, plan: Plan<'changeDevice'>): Steps<DeviceRecord> {
  const { sessionId, id, personId, change, at } = plan;
  const found = yield* findDevice(tx, { id });
  const isForeign = found?.sessionId !== sessionId || (personId !== null && found.personId !== personId);
  if (found === null || isForeign) throw deviceUnknown(id);
  if (change.kind === 'verify' && change.isOpenMode === true) yield* requireOpenMode(tx);
  if (!(yield* updateDevice(tx, found, columnsOf(change, at)))) throw deviceUnknown(id);
  if (change.kind === 'revoke') {
    yield* revokeSignInsOf(tx, id, at);
    yield* deleteChannelsOf(tx, sessionId, id);
    yield* tellOfUnreadable(tx, found, at);
  }
  // Grants carry the device's name, and whether it is verified.
  yield* keysChanged(tx);
  if (plan.audit !== null) yield* appendAudit(tx, plan.audit);
  return (yield* deviceById(tx, id)) ?? found;
}

/** A hub hears of the first key a moment later: by then nothing may be verified without one. */
function* requireOpenMode(tx: Statements): Steps<void> {
  // First: whoever makes the first key waits for this row, or this for them.
  yield* keysChanged(tx);
  if ((yield* keyState(tx)).hasKeys) throw openModeEnded();
}

/** Only what changes: other hubs may write the rest at the same time. */
function columnsOf(change: DeviceChange, at: number): ChangedDevice {
  if (change.kind === 'rename') return { name: change.name };
  return change.kind === 'verify' ? { verified_at: at } : { revoked_at: at };
}

export function* signInDevice(tx: Statements, plan: Plan<'signInDevice'>): Steps<DeviceRecord | null> {
  const { deviceId, signIn, at } = plan;
  const found = yield* findDevice(tx, { id: deviceId });
  if (found === null) return null;
  const device = { ...found, lastSeenAt: at };
  // First: of two sign-ins with one challenge the second waits for this row, then finds the key of the first.
  if (!(yield* updateDevice(tx, device, { last_seen_at: at }))) return null;
  if ((yield* findKey(tx, { id: signIn.id })) !== null) return null;
  yield* addSignIn(tx, device, { signIn, at });
  return device;
}

/** Earlier ones end, except those whose challenge could still be used again. */
export function* addSignIn(
  tx: Statements,
  { sessionId, id: deviceId, personId }: DeviceRecord,
  { signIn, at }: Pick<Plan<'signInDevice'>, 'signIn' | 'at'>,
): Steps<void> {
  yield* deleteSignInsBefore(tx, deviceId, at - challengeMs);
  yield* insertKey(tx, {
    ...signIn,
    sessionId,
    agentId: personId,
    capabilities: [...deviceCapabilities],
    label: '',
    at,
    createdBy: deviceId,
    signInOf: deviceId,
  });
}

export function* signOutDevice(tx: Statements, { keyId }: Plan<'signOutDevice'>): Steps<void> {
  yield* deleteSignIn(tx, keyId);
}
