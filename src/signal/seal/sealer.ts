// Seals what goes to people and opens what comes back. Plain text is in memory only for the call.
import type { Envelope, PublicKeys, SignalAnswer, SignalContent } from '../../contract/signal/signal.js';
import type { DeviceRecord, OpenSignal, SealedSignal, Sealer, SignalRecord, StoredBody } from '../../ports/signal.js';
import type { Store } from '../../ports/store.js';
import {
  answerOf,
  contentOf,
  EnvelopeError,
  headerOf,
  isWrapForm,
  open,
  seal,
  verify,
  type EnvelopeHeader,
} from '../envelope/index.js';
import { boxBody, openBody, plainBody, type BodyPlace } from './bodies.js';
import type { OwnedSecret } from './open-hub-secret.js';
import { e2eRequired, envelopeInvalid, refusing, tooLong } from './refusals.js';

export interface SealerPorts {
  secret: Pick<OwnedSecret, 'keys' | 'box' | 'unbox'>;
  store: Pick<Store, 'listDevices' | 'findDeviceByKid' | 'findAgentKey'>;
  requireE2e: boolean;
}

export function createSealer(ports: SealerPorts): Sealer {
  return {
    seal: (signal, encrypt) => sealSignal(ports, signal, encrypt),
    sealAnswer: (signal, answer) => sealPlainAnswer(ports, signal, answer),
    requireAnswerOf: (signal, device, envelope) => requireAnswerOf(ports, { signal, device, envelope }),
    requireSealedBy: (signal, envelope) => requireSealedBy(ports, signal, envelope),
    openContent: (signal) => Promise.resolve(openContent(ports, signal)),
    openAnswer: (signal) => openAnswer(ports, signal),
    senderKeys: (signal) => senderKeys(ports, signal),
  };
}

async function sealSignal(ports: SealerPorts, signal: OpenSignal, encrypt: boolean): Promise<SealedSignal> {
  const { content, defaultAnswer, sessionId, people } = signal;
  if (ports.requireE2e) {
    throw e2eRequired(
      'Connect the agent through coterie mcp, or use the SDK, and pair a device: coterie pair. Leave encrypt out.',
    );
  }
  if (!encrypt) {
    const silence = defaultAnswer === null ? null : plainBody(defaultAnswer);
    return { level: 'none', body: plainBody(content), defaultAnswer: silence, devices: 0, withoutDevice: [] };
  }
  const devices = await ports.store.listDevices({ sessionId, people });
  if (devices.length === 0) return { ...boxed(ports, signal), devices: 0, withoutDevice: [] };
  const having = new Set(devices.map(({ personId }) => personId));
  const withoutDevice = people.filter((person) => !having.has(person));
  return { ...(await sealToDevices(ports, signal, devices)), devices: devices.length, withoutDevice };
}

function boxed({ secret }: SealerPorts, signal: OpenSignal): Pick<SealedSignal, 'level' | 'body' | 'defaultAnswer'> {
  const { sessionId, id, content, defaultAnswer } = signal;
  return {
    level: 'hub',
    body: boxBody(secret, { sessionId, id, part: 'content' }, content),
    defaultAnswer: defaultAnswer === null ? null : boxBody(secret, { sessionId, id, part: 'default' }, defaultAnswer),
  };
}

/** The default answer is sealed to the hub too, which hands it out when the question expires. */
export async function sealToDevices(
  { secret: { keys } }: Pick<SealerPorts, 'secret'>,
  signal: OpenSignal,
  devices: readonly PublicKeys[],
): Promise<Pick<SealedSignal, 'level' | 'body' | 'defaultAnswer'>> {
  const { sessionId, id, kind, callHash, at, expiresAt, content, defaultAnswer } = signal;
  const header = {
    use: kind,
    session: sessionId,
    id,
    at,
    ...(expiresAt === null ? {} : { exp: expiresAt }),
    ...(callHash === null ? {} : { callHash }),
  };
  try {
    const body: StoredBody = { form: 'envelope', envelope: await seal(keys, devices, { header, payload: content }) };
    if (defaultAnswer === null) return { level: 'device', body, defaultAnswer: null };
    const silence = { header: { ...header, use: 'default' as const }, payload: defaultAnswer };
    const sealed = await seal(keys, [keys.public, ...devices], silence);
    return { level: 'device', body, defaultAnswer: { form: 'envelope', envelope: sealed } };
  } catch (error) {
    throw tooLong(error);
  }
}

/** An answer that reached the hub in plain text, in the form of the question's level. */
async function sealPlainAnswer(ports: SealerPorts, signal: SignalRecord, answer: SignalAnswer): Promise<StoredBody> {
  const { level } = signal;
  if (ports.requireE2e) {
    throw e2eRequired('Answer in the app on a paired device; decline or cancel without a reason.');
  }
  if (level === 'none') return plainBody(answer);
  const { keys } = ports.secret;
  const reader = level === 'end_to_end' ? await senderKeys(ports, signal) : keys.public;
  // A program whose keys are forgotten cannot be sealed to; the hub has seen the answer anyway, and hands it out.
  if (level === 'hub' || reader === null) return boxBody(ports.secret, placeOf(signal, 'answer'), answer);
  return { form: 'envelope', envelope: await sealAnswer(ports, { signal, answer, reader }) };
}

export async function sealAnswer(
  { secret: { keys }, store }: Pick<SealerPorts, 'secret'> & { store: Pick<Store, 'listDevices'> },
  { signal, answer, reader }: { signal: SignalRecord; answer: SignalAnswer; reader: PublicKeys },
): Promise<Envelope> {
  const { sessionId, id, people, callHash } = signal;
  const devices = await store.listDevices({ sessionId, people });
  const header = {
    use: 'answer' as const,
    session: sessionId,
    id,
    at: signal.endedAt ?? Date.now(),
    ...(callHash === null ? {} : { callHash }),
  };
  try {
    return await seal(keys, [reader, ...devices], { header, payload: answer });
  } catch (error) {
    throw tooLong(error);
  }
}

async function requireAnswerOf(
  ports: SealerPorts,
  { signal, device, envelope }: { signal: SignalRecord; device: DeviceRecord; envelope: Envelope },
): Promise<void> {
  const { sessionId, id, callHash, level, body, optionCount } = signal;
  if (device.revokedAt !== null) throw envelopeInvalid('The device was revoked.', 'unknown_sender');
  const header = { use: 'answer' as const, session: sessionId, id, ...(callHash === null ? {} : { callHash }) };
  const expected = { senders: [device], header };
  await refusing(() => verify(envelope, expected));
  const { keys } = ports.secret;
  const reader = level === 'end_to_end' && body.form === 'envelope' ? headerOf(body.envelope).from : keys.public.kid;
  requireWraps(envelope, reader);
  if (reader !== keys.public.kid) return;
  const { option } = await refusing(async () => answerOf((await open(keys, envelope, expected)).payload));
  if (option !== null && (option < 1 || option > optionCount)) {
    throw envelopeInvalid('The sealed answer names an option that was not offered.', 'wrong_option');
  }
}

/** What an agent's program sealed: by keys that the agent has registered, for devices of the recipients. */
async function requireSealedBy(
  { store }: SealerPorts,
  { sessionId, sender, people }: Pick<SignalRecord, 'sessionId' | 'sender' | 'people'>,
  envelope: Envelope,
): Promise<void> {
  const { from } = await refusing(() => Promise.resolve(headerOf(envelope)));
  const keys = await store.findAgentKey({ sessionId, agentId: sender, kid: from });
  if (keys === null)
    throw envelopeInvalid('The sender’s keys are not known: call set_agent_key first.', 'unknown_sender');
  await refusing(() => verify(envelope, { senders: [keys], header: { session: sessionId } }));
  const devices = await store.listDevices({ sessionId, people });
  const allowed = new Set([from, ...devices.map(({ kid }) => kid)]);
  requireWraps(envelope, undefined);
  if (envelope.r.some(({ k }) => !allowed.has(k)) || !envelope.r.some(({ k }) => k !== from)) {
    throw envelopeInvalid('It is not sealed for devices of the recipients.', 'wrong_readers');
  }
}

function requireWraps({ r }: Envelope, reader: string | undefined): void {
  if (!r.every(isWrapForm)) throw envelopeInvalid('A wrapped key has the wrong form.', 'malformed');
  if (reader !== undefined && !r.some(({ k }) => k === reader)) {
    throw envelopeInvalid('The answer is not sealed for who asked.', 'wrong_readers');
  }
}

function openContent({ secret }: SealerPorts, signal: SignalRecord): SignalContent | null {
  const opened = openBody(secret, placeOf(signal, 'content'), signal.body);
  return opened === null ? null : contentOf(opened);
}

async function openAnswer(ports: SealerPorts, signal: SignalRecord): Promise<SignalAnswer | null> {
  const isDefault = signal.status === 'expired';
  const body = isDefault ? signal.defaultAnswer : signal.answer;
  if (body === null) return null;
  if (body.form === 'envelope') return openEnvelope(ports, signal, body.envelope);
  const payload = openBody(ports.secret, placeOf(signal, isDefault ? 'default' : 'answer'), body);
  return payload === null ? null : answerOf(payload);
}

/** Checked again: the database may have been changed by someone else, and a device can seal anything for the hub. */
async function openEnvelope(
  ports: SealerPorts,
  signal: SignalRecord,
  envelope: Envelope,
): Promise<SignalAnswer | null> {
  const { sessionId, id, status } = signal;
  const { keys } = ports.secret;
  if (!envelope.r.some(({ k }) => k === keys.public.kid)) return null;
  try {
    const { from } = headerOf(envelope);
    const sender = from === keys.public.kid ? keys.public : await ports.store.findDeviceByKid({ sessionId, kid: from });
    const use: EnvelopeHeader['use'] = status === 'expired' ? 'default' : 'answer';
    const expected = { senders: sender === null ? [] : [sender], header: { use, session: sessionId, id } };
    return answerOf((await open(keys, envelope, expected)).payload);
  } catch (error) {
    if (error instanceof EnvelopeError) return null;
    throw error;
  }
}

/** Null without an envelope, or if the program's keys are forgotten. */
async function senderKeys({ secret, store }: SealerPorts, signal: SignalRecord): Promise<PublicKeys | null> {
  const { sessionId, sender, body } = signal;
  if (body.form !== 'envelope') return null;
  const { from } = headerOf(body.envelope);
  if (from === secret.keys.public.kid) return secret.keys.public;
  const found = await store.findAgentKey({ sessionId, agentId: sender, kid: from });
  if (found === null) return null;
  const { kid, encryption, signing } = found;
  return { kid, encryption, signing };
}

function placeOf({ sessionId, id }: SignalRecord, part: BodyPlace['part']): BodyPlace {
  return { sessionId, id, part };
}
