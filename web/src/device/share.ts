// Lets devices that were paired later read what was asked before: this device can open it, so it wraps the key for them.
import type { EncryptionLevel, Envelope } from '../../../src/contract/signal.js';
import { wrapFor } from '../../../src/signal/envelope/index.js';
import { callHub } from './call-hub.js';
import type { Device } from './identity.js';
import type { ReaderDevice } from './readers.js';

export interface SharedView {
  id: string;
  encryption: EncryptionLevel;
  sealed?: Envelope | undefined;
  /** Key ids of the person's devices that cannot read it yet. */
  missingWraps?: readonly string[] | undefined;
}

export async function shareSignals(
  device: Device,
  views: readonly SharedView[],
  readers: readonly ReaderDevice[],
): Promise<void> {
  for (const { id, encryption, sealed, missingWraps = [] } of views) {
    if (sealed === undefined) continue;
    const owed = readers.filter((reader) => missingWraps.includes(reader.kid) && mayRead(device, encryption, reader));
    if (owed.length === 0) continue;
    const wraps = await Promise.all(owed.map((reader) => wrapFor(device.keys, sealed, reader)));
    await callHub('share_signal', { signalId: id, wraps });
  }
}

/** What the hub cannot read is not handed to a device that only the hub vouches for. */
function mayRead(device: Device, encryption: EncryptionLevel, reader: ReaderDevice): boolean {
  return reader.person === device.person && (reader.verified || encryption !== 'end_to_end');
}
