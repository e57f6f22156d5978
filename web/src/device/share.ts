// Lets devices that were paired later read what was asked and answered before: this device can open it, so it wraps the
// keys for them.
import type { EncryptionLevel, Envelope, PublicKeys, WrappedKey } from '../../../src/contract/signal/signal.js';
import { EnvelopeError, wrapFor } from '../../../src/signal/envelope/index.js';
import { callHub } from './call-hub.js';
import type { Device } from './identity.js';
import type { ReaderDevice } from './readers.js';

export interface SharedView {
  id: string;
  encryption: EncryptionLevel;
  sealed?: Envelope | undefined;
  sealedAnswer?: Envelope | undefined;
  /** Key ids of the person's devices that cannot read it, or its answer, yet. */
  missingWraps?: readonly string[] | undefined;
}

export async function shareSignals(
  device: Device,
  views: readonly SharedView[],
  readers: readonly ReaderDevice[],
): Promise<void> {
  for (const { id, encryption, sealed, sealedAnswer, missingWraps = [] } of views) {
    const owed = readers.filter((reader) => missingWraps.includes(reader.kid) && mayRead(device, encryption, reader));
    const wraps = await wrapAll(device, sealed, owed);
    if (wraps.length === 0) continue;
    const answerWraps = await wrapAll(device, sealedAnswer, owed);
    await callHub('share_signal', { signalId: id, wraps, ...(answerWraps.length === 0 ? {} : { answerWraps }) });
  }
}

/** None of what this device cannot open itself: one bad envelope must not keep the others from being shared. */
async function wrapAll(
  { keys }: Device,
  sealed: Envelope | undefined,
  readers: readonly PublicKeys[],
): Promise<WrappedKey[]> {
  if (sealed === undefined) return [];
  try {
    return await Promise.all(readers.map((reader) => wrapFor(keys, sealed, reader)));
  } catch (error) {
    if (error instanceof EnvelopeError) return [];
    throw error;
  }
}

/** What the hub cannot read is not handed to a device that only the hub vouches for. */
function mayRead(device: Device, encryption: EncryptionLevel, reader: ReaderDevice): boolean {
  return reader.person === device.person && (reader.verified || encryption !== 'end_to_end');
}
