// share_signal: a device that can read a signal wraps its key for devices that were paired later.
import { HubError } from '../contract/errors.js';
import type { shareSignal as contract } from '../contract/operations/share-signal.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import type { Envelope, WrappedKey } from '../contract/signal/signal.js';
import type { NamedCaller } from '../ports/caller.js';
import type { StoredBody } from '../ports/signal.js';
import { requireDevice } from './calling-device.js';
import { questionUnknown } from './decide-state.js';
import { headerOf, isWrapForm } from './envelope/index.js';
import type { SignalPorts } from './ports.js';

/** Devices of one person often share at the same time. */
const attemptsMax = 8;

export async function shareSignal(
  ports: Pick<SignalPorts, 'store' | 'wakeup'>,
  caller: NamedCaller,
  { signalId, wraps, answerWraps = [] }: InputOf<typeof contract>,
): Promise<OutputOf<typeof contract>> {
  const device = await requireDevice(ports.store, caller);
  const { sessionId } = caller;
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const signal = await ports.store.findSignal({ sessionId, id: signalId });
    if (signal === null || !signal.people.includes(caller.agentId)) throw questionUnknown(signalId);
    const { people, level, body, defaultAnswer, answer } = signal;
    const devices = await ports.store.listDevices({ sessionId, people });
    const kids = new Set(devices.map(({ kid }) => kid));
    // Not those of others: a false key for one could not be replaced by the right one.
    const own = new Set(devices.filter(({ personId }) => personId === caller.agentId).map(({ kid }) => kid));
    const content = readableBy(body, device.kid);
    // Who sealed the question reads the answer, too.
    const readers = new Set([...kids, headerOf(content).from]);
    const shared = withWraps(content, wraps, { own, readers });
    const sharedAnswer =
      answerWraps.length === 0 ? null : withWraps(readableBy(answer, device.kid), answerWraps, { own, readers });
    const added = shared.added + (sharedAnswer?.added ?? 0);
    if (added === 0) return { success: true, signalId, added };
    const from = { level, body, defaultAnswer, answer };
    const to = { ...from, body: shared.body, answer: sharedAnswer?.body ?? answer };
    if (await ports.store.replaceBodies({ sessionId, id: signalId, from, to })) {
      ports.wakeup.signals(sessionId);
      return { success: true, signalId, added };
    }
  }
  throw new HubError('STORE_UNAVAILABLE', 'Others share this at the same time.', { hint: 'Call share_signal again.' });
}

/** Revoked devices do not get it any more, and make room. */
function withWraps(
  envelope: Envelope,
  wraps: readonly WrappedKey[],
  { own, readers }: { own: ReadonlySet<string>; readers: ReadonlySet<string> },
): { body: StoredBody; added: number } {
  requireTheirs(wraps, own);
  const known = new Set(envelope.r.map(({ k }) => k));
  const added = wraps.filter(({ k }, index) => !known.has(k) && wraps.findIndex((wrap) => wrap.k === k) === index);
  const kept = envelope.r.filter(({ k }) => readers.has(k));
  return { body: { form: 'envelope', envelope: { ...envelope, r: [...kept, ...added] } }, added: added.length };
}

function readableBy(body: StoredBody | null, kid: string): Envelope {
  if (body?.form === 'envelope' && body.envelope.r.some(({ k }) => k === kid)) return body.envelope;
  throw invalid('This device cannot read it, so it cannot share it.', 'not_for_me');
}

function requireTheirs(wraps: readonly WrappedKey[], kids: ReadonlySet<string>): void {
  if (!wraps.every(isWrapForm)) throw invalid('A wrapped key has the wrong form.', 'malformed');
  if (wraps.some(({ k }) => !kids.has(k))) throw invalid('One is not for a device of your own.', 'wrong_readers');
}

function invalid(message: string, fault: string): HubError {
  return new HubError('ENVELOPE_INVALID', message, {
    hint: 'list_questions names the devices that cannot read it yet in missingWraps; get_signal_keys has their keys.',
    details: { fault },
  });
}
