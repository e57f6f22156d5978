// Seals what only the hub can read for the first devices of its recipients.
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { Sealer, SignalRecord, StoredBody } from '../../ports/signal.js';
import type { Store } from '../../ports/store.js';
import type { Wakeup } from '../../ports/wakeup.js';
import type { OwnedSecret } from './open-hub-secret.js';
import { sealAnswer, sealToDevices } from './sealer.js';

export interface ResealPorts {
  store: Pick<Store, 'listDevices' | 'hubLevelSignals' | 'replaceBodies' | 'peopleWithDevices'>;
  secret: Pick<OwnedSecret, 'keys' | 'box' | 'unbox' | 'requireOurs' | 'check' | 'isOther'>;
  sealer: Pick<Sealer, 'openContent' | 'openAnswer'>;
  clock: Clock;
  log: Log;
  wakeup: Pick<Wakeup, 'signals'>;
}

/** Pending questions of any age, and history of so long. */
const historyMs = 30 * 24 * 60 * 60_000;
const signalsPerStep = 500;
const peoplePerStep = 200;
/** For a hub that ended between a pairing and the sealing; it also does so at its start. */
const sweepEveryMs = 10 * 60_000;

/** Returns how many were sealed. */
async function resealFor(ports: ResealPorts, person: { sessionId: string; personId: string }): Promise<number> {
  await ports.secret.requireOurs();
  const since = ports.clock.now() - historyMs;
  const signals = await ports.store.hubLevelSignals({ ...person, since, limit: signalsPerStep });
  let sealed = 0;
  for (const signal of signals) if (await reseal(ports, signal)) sealed += 1;
  return sealed;
}

/** The device is paired whatever comes of this; what is left the next sweep seals. */
export async function resealAfterPairing(
  ports: ResealPorts,
  person: { sessionId: string; personId: string },
): Promise<void> {
  try {
    await resealFor(ports, person);
  } catch (error) {
    ports.log.warn('reseal_failed', { reason: error instanceof Error ? error.name : 'unknown' });
  }
  // Open pages of the person's other devices read the lists again, and share what the new one cannot read.
  ports.wakeup.signals(person.sessionId);
}

/** False if there is no device, or the signal changed in between: then the next sweep tries again. */
async function reseal(ports: ResealPorts, signal: SignalRecord): Promise<boolean> {
  const { sessionId, id, people, level, body, defaultAnswer, answer } = signal;
  const devices = await ports.store.listDevices({ sessionId, people });
  const content = await ports.sealer.openContent(signal);
  if (devices.length === 0 || content === null) return false;
  const silence = defaultAnswer && (await ports.sealer.openAnswer({ ...signal, status: 'expired' }));
  const open = { ...signal, content, defaultAnswer: silence, at: signal.askedAt };
  const sealed = await sealToDevices(ports, open, devices);
  const to = { ...sealed, answer: await resealAnswer(ports, signal) };
  return ports.store.replaceBodies({ sessionId, id, from: { level, body, defaultAnswer, answer }, to });
}

async function resealAnswer(ports: ResealPorts, signal: SignalRecord): Promise<StoredBody | null> {
  const answer = signal.status === 'expired' ? null : await ports.sealer.openAnswer(signal);
  if (answer === null) return signal.answer;
  const reader = ports.secret.keys.public;
  return { form: 'envelope', envelope: await sealAnswer(ports, { signal, answer, reader }) };
}

/** Returns a function that ends it. */
export function startResealing(ports: ResealPorts): () => void {
  let isRunning = false;
  const sweep = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await ports.secret.check();
      if (!ports.secret.isOther()) await sweepAll(ports);
    } catch (error) {
      ports.log.warn('reseal_failed', { reason: error instanceof Error ? error.name : 'unknown' });
    } finally {
      isRunning = false;
    }
  };
  void sweep();
  const timer = setInterval(() => void sweep(), sweepEveryMs).unref();
  return () => clearInterval(timer);
}

async function sweepAll(ports: ResealPorts): Promise<void> {
  let after: { sessionId: string; personId: string } | null = null;
  do {
    const people: { sessionId: string; personId: string }[] = await ports.store.peopleWithDevices({
      after,
      limit: peoplePerStep,
    });
    for (const person of people) await resealFor(ports, person);
    after = people.length < peoplePerStep ? null : (people.at(-1) ?? null);
  } while (after !== null);
}
