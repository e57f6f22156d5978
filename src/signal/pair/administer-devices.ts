// list_devices, revoke_device, rename_device and verify_device.
import { auditEntry } from '../../access/audit-entry.js';
import type { DeviceView } from '../../contract/signal/device.js';
import { HubError } from '../../contract/errors.js';
import { isAdmin, type Caller, type NamedCaller } from '../../ports/caller.js';
import type { Clock } from '../../ports/clock.js';
import type { DeviceChange, Store } from '../../ports/store.js';
import type { Wakeup } from '../../ports/wakeup.js';
import { viewDevice } from './view-device.js';

export interface DevicePorts {
  store: Pick<Store, 'listDevices' | 'changeDevice'>;
  clock: Clock;
  /** Called after a change: grants carry facts about devices. */
  keysChanged: () => void;
  wakeup: Pick<Wakeup, 'signals'>;
}

export async function listDevices(
  { store }: DevicePorts,
  caller: Caller,
  { person }: { person?: string | undefined },
): Promise<{ devices: DeviceView[] }> {
  const { sessionId } = caller;
  const owner = ownerOf(caller);
  // Of others one hears no more than of people who do not exist.
  if (owner !== null && person !== undefined && person !== owner) return { devices: [] };
  const whose = person ?? owner;
  const devices = await store.listDevices({ sessionId, people: whose === null ? null : [whose] });
  return { devices: devices.map((device) => viewDevice(device, caller)) };
}

export async function changeDevice(
  { store, clock, keysChanged, wakeup }: DevicePorts,
  caller: Caller,
  { deviceId, change }: { deviceId: string; change: DeviceChange },
): Promise<{ success: true; device: DeviceView }> {
  const at = clock.now();
  const audit = auditEntry(caller, at, `${change.kind}_device`, deviceId);
  const personId = ownerOf(caller);
  const device = await store.changeDevice({
    sessionId: caller.sessionId,
    id: deviceId,
    personId,
    change,
    at,
    audit,
  });
  keysChanged();
  // Other devices share end-to-end questions with one that was verified.
  if (change.kind === 'verify') wakeup.signals(caller.sessionId);
  return { success: true, device: viewDevice(device, caller) };
}

/** Null for an administrator: devices of everyone. */
function ownerOf(caller: Caller): string | null {
  return isAdmin(caller) ? null : (caller.agentId ?? '');
}

/** Only the person can have compared the number, and a device that nobody verified verifies none. */
export async function verifyDevice(
  ports: DevicePorts,
  caller: NamedCaller,
  { deviceId }: { deviceId: string },
): Promise<{ success: true; device: DeviceView }> {
  const { grant } = caller;
  if (grant !== null && !grant.isPerson) throw onlyPeople();
  if (grant !== null && grant.device?.isVerified === false) throw unverified();
  const asPerson = { ...caller, capabilities: new Set(['signal' as const]) };
  return changeDevice(ports, asPerson, { deviceId, change: { kind: 'verify', isOpenMode: grant === null } });
}

function onlyPeople(): HubError {
  return new HubError('FORBIDDEN', 'Only the person whose device it is can verify it.', {
    hint: 'On the hub’s machine: coterie devices verify ID',
  });
}

function unverified(): HubError {
  return new HubError('DEVICE_UNVERIFIED', 'This device is not verified itself.', {
    hint: 'Compare its safety number first: coterie devices verify ID, where you paired it.',
  });
}
