// Gives this device new keys. They are paired as a new device, which the old one lets read what waits; then this browser
// is the new one, and the old one is revoked. Each step can be repeated: it goes on after a failure, or after a reload.
import type { Envelope } from '../../../src/contract/signal/signal.js';
import { newKeys, pairingClaim, randomText, toBase64url, utf8 } from '../../../src/signal/envelope/index.js';
import { announce } from '../data/announce.js';
import { ownerOfDevice, readOutbox, sendKept } from '../data/outbox.js';
import { Refused, Unreachable } from '../data/request.js';
import { callHub } from './call-hub.js';
import { remove } from './database.js';
import { endRenewal, keepDevice, keepRenewal, readDevice, readRenewal, type Device, type Renewal } from './identity.js';
import { pairBeside } from './pair.js';
import { registerAgain } from './push-subscription.js';
import { fetchReaders } from './readers.js';
import { shareSignals, type SharedView } from './share.js';
import { signIn } from './sign-in.js';

const secretBytes = 16;
const pageLimit = 100;

export async function renewKeys(): Promise<void> {
  await alone(async () => {
    const old = await readDevice();
    if (old === undefined) return;
    if ((await readRenewal()) === undefined) await keepRenewal({ old, keys: await newKeys(false) });
    await run();
  });
}

/** Does nothing if none was begun. */
export async function continueRenewal(): Promise<void> {
  await alone(run);
}

/** One page of this browser at a time. */
async function alone(work: () => Promise<void>): Promise<void> {
  await navigator.locks.request('coterie-renewal', work);
}

async function run(): Promise<void> {
  const begun = await readRenewal();
  const device = await readDevice();
  if (begun === undefined || device === undefined) return;
  if (device.keys.public.kid !== begun.keys.public.kid) await handOver(begun, await pairNew(begun));
  await takeOver(begun);
  announce('device');
}

interface Pairing {
  pairingId: string;
  secret: string;
}

async function pairNew(renewal: Renewal): Promise<string> {
  const { old, keys } = renewal;
  const earlier = renewal.pairing === undefined ? undefined : await lookAt(renewal.pairing, keys.public.kid);
  const pairing = earlier?.pairing ?? (await startPairing());
  // Before the hub is told, as its answer may be lost.
  await keepRenewal({ old, keys, pairing });
  const place = { hub: old.hub, name: old.name, keys };
  return earlier?.id ?? (await pairBeside(place, pairing, old.person)).deviceId;
}

async function startPairing(): Promise<Pairing> {
  const secret = randomText(secretBytes);
  const claim = utf8(await pairingClaim(secret));
  const claimHash = toBase64url(new Uint8Array(await crypto.subtle.digest('SHA-256', claim)));
  const { pairingId } = await callHub<{ pairingId: string }>('start_pairing', { claimHash });
  return { pairingId, secret };
}

interface PairingState {
  state: 'open' | 'paired' | 'ended';
  device?: { id: string; kid: string };
}

/** An earlier attempt: still open, or with the device that it made. Undefined if it is over. */
async function lookAt(pairing: Pairing, kid: string): Promise<{ pairing: Pairing; id?: string } | undefined> {
  const { state, device } = await callHub<PairingState>('get_pairing', { pairingId: pairing.pairingId }).catch(gone);
  if (device?.kid === kid) return { pairing, id: device.id };
  return state === 'open' ? { pairing } : undefined;
}

function gone(error: unknown): PairingState {
  if (error instanceof Refused && error.code === 'PAIRING_INVALID') return { state: 'ended' };
  throw error;
}

/** From the old device to the new one. */
async function handOver({ old, keys }: Renewal, id: string): Promise<void> {
  await signIn(old);
  const readers = await fetchReaders();
  const isVerified = (wanted: string) => readers.some((reader) => reader.id === wanted && reader.verified);
  if (isVerified(old.id) && !isVerified(id)) await callHub('verify_device', { deviceId: id });
  // These keys were made here, so they may read all that the old ones can.
  const { name, person, session, hub } = old;
  const next = { ...keys.public, id, person, name, verified: true };
  await shareSignals(old, await recent('list_questions', { forMe: true }), [next]);
  await shareSignals(old, await recent('list_alerts', {}), [next]);
  await sendAnswers(old);
  // At last, as a program may have sealed one with the list of devices that it read before.
  await shareSignals(old, await allPending(), [next]);
  await keepDevice({ id, person, session, name, keys, hub } satisfies Device);
}

interface Page {
  questions?: SharedView[];
  alerts?: SharedView[];
  cursor?: string | null;
}

async function recent(operation: 'list_questions' | 'list_alerts', input: object): Promise<SharedView[]> {
  const { questions, alerts } = await callHub<Page>(operation, { ...input, limit: pageLimit });
  return questions ?? alerts ?? [];
}

async function allPending(): Promise<SharedView[]> {
  const found: SharedView[] = [];
  let cursor: string | undefined;
  do {
    const input = { forMe: true, status: 'pending', limit: pageLimit, ...(cursor === undefined ? {} : { cursor }) };
    const page: Page = await callHub<Page>('list_questions', input);
    found.push(...(page.questions ?? []));
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

/** What the old keys have signed counts only while the old device does. */
async function sendAnswers(old: Device): Promise<void> {
  await sendKept();
  const isLeft = (await readOutbox(ownerOfDevice(old))).some(
    ({ outcome, input }) => outcome === undefined && isSealed(input),
  );
  if (isLeft) throw new Unreachable('An answer of this device is still to be sent.');
}

function isSealed(input: { sealed?: Envelope }): boolean {
  return input.sealed !== undefined;
}

/** As the new device. */
async function takeOver({ old }: Renewal): Promise<void> {
  const device = await readDevice();
  if (device === undefined) return;
  await signIn(device);
  await movePush();
  await fetchReaders();
  await revoke(old.id);
  await endRenewal();
}

/** If the hub refuses the subscription, the settings say that pushes are off; the keys are renewed all the same. */
async function movePush(): Promise<void> {
  await remove('own', 'endpoint');
  try {
    await registerAgain();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

async function revoke(deviceId: string): Promise<void> {
  try {
    await callHub('revoke_device', { deviceId });
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'DEVICE_UNKNOWN') throw error;
  }
}
