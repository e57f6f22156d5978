// The paired device that a call comes from, with its keys.
import { HubError } from '../contract/errors.js';
import type { NamedCaller } from '../ports/caller.js';
import type { DeviceRecord } from '../ports/signal.js';
import type { Store } from '../ports/store.js';

export async function requireDevice(
  store: Pick<Store, 'listDevices'>,
  { sessionId, agentId, grant }: NamedCaller,
): Promise<DeviceRecord> {
  const id = grant?.device?.id;
  const devices = id === undefined ? [] : await store.listDevices({ sessionId, people: [agentId] });
  const device = devices.find((each) => each.id === id);
  if (device !== undefined) return device;
  throw new HubError('DEVICE_UNKNOWN', 'Only a paired device can send an encrypted answer.', {
    hint: 'Give option or response in place of sealed, or pair this device.',
  });
}
