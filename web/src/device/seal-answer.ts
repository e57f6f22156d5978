// Seals an answer: to who asked, and to the person's devices, so that each of them can show what was answered.
import type { Envelope, PublicKeys, SignalAnswer } from '../../../src/contract/signal/signal.js';
import { seal } from '../../../src/signal/envelope/index.js';
import type { Device } from './identity.js';
import type { SealedView } from './open-signal.js';
import { keptReaders } from './readers.js';

export interface AnswerDraft {
  status: 'answered' | 'declined';
  answer: SignalAnswer;
}

/** Undefined at levels where the hub seals, or nobody does: the answer goes to the hub as text. */
export async function sealAnswer(device: Device, view: SealedView, draft: AnswerDraft): Promise<Envelope | undefined> {
  const asker = askerKeys(device, view);
  if (asker === undefined) return undefined;
  const mine = (await keptReaders()).filter(({ person }) => person === device.person);
  const header = {
    use: 'answer' as const,
    session: device.session,
    id: view.id,
    at: Date.now(),
    status: draft.status,
    ...(view.callHash ? { callHash: view.callHash } : {}),
  };
  return seal(device.keys, distinct([asker, device.keys.public, ...mine]), { header, payload: draft.answer });
}

function askerKeys(device: Device, { encryption, senderKeys }: SealedView): PublicKeys | undefined {
  if (encryption === 'device') return device.hub;
  return encryption === 'end_to_end' ? senderKeys : undefined;
}

function distinct(keys: readonly PublicKeys[]): PublicKeys[] {
  return [...new Map(keys.map(({ kid, encryption, signing }) => [kid, { kid, encryption, signing }])).values()];
}
