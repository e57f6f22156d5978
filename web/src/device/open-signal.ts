// Opens what was sealed for this device: questions, permission prompts, alerts, and answers of the person's other devices.
import type {
  EncryptionLevel,
  Envelope,
  PublicKeys,
  SignalAnswer,
  SignalContent,
  SignalKind,
} from '../../../src/contract/signal/signal.js';
import { answerOf, contentOf, EnvelopeError, open } from '../../../src/signal/envelope/index.js';
import type { Device } from './identity.js';
import { checkSender, type SenderTrust } from './pins.js';

/** The part of a question or an alert, as the hub hands it out, that opening it needs. */
export interface SealedView {
  id: string;
  kind: SignalKind;
  from: string;
  encryption: EncryptionLevel;
  callHash?: string | null | undefined;
  sealed?: Envelope | undefined;
  senderKeys?: PublicKeys | undefined;
}

/** `not_for_me`: sealed before this device was paired. `forged`: not by who it claims, or not for this question. */
export type OpenedSignal =
  { isOpen: true; content: SignalContent; sender: SenderTrust } | { isOpen: false; why: 'not_for_me' | 'forged' };

export async function openSignal(device: Device, view: SealedView): Promise<OpenedSignal> {
  const { sealed, senderKeys } = view;
  if (sealed === undefined || senderKeys === undefined) return { isOpen: false, why: 'not_for_me' };
  try {
    const header = { use: view.kind, session: device.session, id: view.id, callHash: view.callHash ?? undefined };
    const { payload } = await open(device.keys, sealed, { senders: [senderKeys], header: withoutAbsent(header) });
    // After the signature: keys that have signed nothing are not pinned.
    const sender = await checkSender(device, { from: view.from, encryption: view.encryption, senderKeys });
    return { isOpen: true, content: contentOf(payload), sender };
  } catch (fault) {
    return { isOpen: false, why: whyNot(fault) };
  }
}

/** The answer that a device of this person gave; null if this device cannot open it. */
export async function openAnswer(
  device: Device,
  view: Pick<SealedView, 'id'>,
  { sealed, devices }: { sealed: Envelope; devices: readonly PublicKeys[] },
): Promise<SignalAnswer | null> {
  try {
    const header = { use: 'answer' as const, session: device.session, id: view.id };
    const senders = [device.keys.public, device.hub, ...devices];
    return answerOf((await open(device.keys, sealed, { senders, header })).payload);
  } catch (fault) {
    whyNot(fault);
    return null;
  }
}

function whyNot(fault: unknown): 'not_for_me' | 'forged' {
  if (!(fault instanceof EnvelopeError)) throw fault;
  return fault.fault === 'not_for_me' ? 'not_for_me' : 'forged';
}

function withoutAbsent<T extends { callHash: string | undefined }>({ callHash, ...rest }: T) {
  return callHash === undefined ? rest : { ...rest, callHash };
}
