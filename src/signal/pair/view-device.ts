// A device as callers see it.
import type { DeviceView } from '../../contract/signal/device.js';
import type { Caller } from '../../ports/caller.js';
import type { DeviceRecord } from '../../ports/signal.js';

export function viewDevice(device: DeviceRecord, caller?: Pick<Caller, 'grant'>): DeviceView {
  const { id, personId, name, kid, encryption, signing, pairedAt, verifiedAt, lastSeenAt } = device;
  return {
    id,
    person: personId,
    name,
    verified: verifiedAt !== null,
    kid,
    encryption,
    signing,
    pairedAt: iso(pairedAt),
    verifiedAt: verifiedAt === null ? null : iso(verifiedAt),
    lastSeenAt: lastSeenAt === null ? null : iso(lastSeenAt),
    ...(caller?.grant?.device?.id === id ? { isThis: true } : {}),
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
