// share_signal: a device that can read a signal wraps its key for devices that were paired later.
import { HubError } from '../contract/errors.js';
import type { shareSignal as contract } from '../contract/operations/share-signal.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import type { Envelope, WrappedKey } from '../contract/signal.js';
import type { NamedCaller } from '../ports/caller.js';
import type { SignalRecord } from '../ports/signal.js';
import { requireDevice } from './calling-device.js';
import { questionUnknown } from './decide-state.js';
import { headerOf, isWrapForm } from './envelope/index.js';
import type { SignalPorts } from './ports.js';

/** Devices of one person often share at the same time. */
const attemptsMax = 8;

export async function shareSignal(
  ports: Pick<SignalPorts, 'store' | 'wakeup'>,
  caller: NamedCaller,
  { signalId, wraps }: InputOf<typeof contract>,
): Promise<OutputOf<typeof contract>> {
  const device = await requireDevice(ports.store, caller);
  const { sessionId } = caller;
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const signal = await ports.store.findSignal({ sessionId, id: signalId });
    if (signal === null || !signal.people.includes(caller.agentId)) throw questionUnknown(signalId);
    const envelope = readableBy(signal, device.kid);
    const { people, level, body, defaultAnswer, answer } = signal;
    const kids = new Set((await ports.store.listDevices({ sessionId, people })).map(({ kid }) => kid));
    requireTheirs(wraps, kids);
    const known = new Set(envelope.r.map(({ k }) => k));
    const added = wraps.filter(({ k }, index) => !known.has(k) && wraps.findIndex((wrap) => wrap.k === k) === index);
    if (added.length === 0) return { success: true, signalId, added: 0 };
    // Revoked devices do not get it any more, and make room.
    const kept = envelope.r.filter(({ k }) => kids.has(k) || k === headerOf(envelope).from);
    const from = { level, body, defaultAnswer, answer };
    const to = { ...from, body: { form: 'envelope' as const, envelope: { ...envelope, r: [...kept, ...added] } } };
    if (await ports.store.replaceBodies({ sessionId, id: signalId, from, to })) {
      ports.wakeup.signals(sessionId);
      return { success: true, signalId, added: added.length };
    }
  }
  throw new HubError('STORE_UNAVAILABLE', 'Others share this at the same time.', { hint: 'Call share_signal again.' });
}

function readableBy({ body }: SignalRecord, kid: string): Envelope {
  if (body.form === 'envelope' && body.envelope.r.some(({ k }) => k === kid)) return body.envelope;
  throw invalid('This device cannot read it, so it cannot share it.', 'not_for_me');
}

function requireTheirs(wraps: readonly WrappedKey[], kids: ReadonlySet<string>): void {
  if (!wraps.every(isWrapForm)) throw invalid('A wrapped key has the wrong form.', 'malformed');
  if (wraps.some(({ k }) => !kids.has(k))) throw invalid('One is not for a device of the recipients.', 'wrong_readers');
}

function invalid(message: string, fault: string): HubError {
  return new HubError('ENVELOPE_INVALID', message, {
    hint: 'list_questions names the devices that cannot read it yet in missingWraps; get_signal_keys has their keys.',
    details: { fault },
  });
}
