// Makes this browser a device: new keys, shown to the hub with proof that they are here, and kept when it agrees.
import type { PublicKeys } from '../../../src/contract/signal/signal.js';
import type { PairingLink } from '../../../src/contract/signal/pairing-link.js';
import {
  newKeys,
  pairingClaim,
  pairingMac,
  requireKid,
  signBytes,
  type SignalKeys,
} from '../../../src/signal/envelope/index.js';
import { pairingProofBytes } from '../../../src/signal/pair/signed-bytes.js';
import { announce } from '../data/announce.js';
import { request } from '../data/request.js';
import { forgetDevice } from './forget-device.js';
import { keepDevice, type Device } from './identity.js';

/** The hub shows another key than the link names: another hub, or someone in between. */
export class WrongHub extends Error {}

export interface PairedDevice {
  deviceId: string;
  person: string;
  session: string;
  verified: boolean;
}

export interface Paired extends PairedDevice {
  isByLink: boolean;
}

export interface PairPlace {
  hub: PublicKeys;
  /** The device's name. */
  name: string;
}

/** Whom a link pairs for. */
export async function lookUpPairing(
  hub: PublicKeys,
  link: PairingLink,
): Promise<{ person: string; personName?: string }> {
  requireHub(hub, link);
  return request('/app/pair/look', { method: 'POST', body: { pairingId: link.pairingId } });
}

function requireHub(hub: PublicKeys, { hubKid }: PairingLink): void {
  if (hub.kid !== hubKid) throw new WrongHub('This is not the hub that made the link.');
}

export async function pairByLink(place: PairPlace, link: PairingLink, person: string): Promise<Paired> {
  requireHub(place.hub, link);
  return pair(place, link.pairingId, '/app/pair', (keys) => claimByLink(keys, link, person));
}

/** `code` as readPairingCode gives it. */
export async function pairByCode(place: PairPlace, code: string): Promise<Paired> {
  return pair(place, code, '/app/pair', async () => ({ code }));
}

/** In open mode, on the hub's machine. */
export async function pairHere(place: PairPlace): Promise<Paired> {
  return pair(place, 'page', '/app/pair/local', async () => ({}));
}

/** As one more device, while this browser stays signed in as the one it is. */
export async function pairBeside(
  { hub, name, keys }: PairPlace & { keys: SignalKeys },
  link: Omit<PairingLink, 'hubKid'>,
  person: string,
): Promise<PairedDevice> {
  const body = await shownKeys({ hub, name, keys }, link.pairingId, await claimByLink(keys, link, person));
  return request('/app/pair', { method: 'POST', body, credentials: 'omit' });
}

async function claimByLink(keys: SignalKeys, link: Omit<PairingLink, 'hubKid'>, person: string) {
  return {
    pairingId: link.pairingId,
    claim: await pairingClaim(link.secret),
    mac: await pairingMac(link.secret, { kid: keys.public.kid, person }),
  };
}

async function pair(
  { hub, name }: PairPlace,
  ref: string,
  path: string,
  claimOf: (keys: SignalKeys) => Promise<object>,
): Promise<Paired> {
  await requireKid(hub);
  const keys = await newKeys(false);
  const body = await shownKeys({ hub, name, keys }, ref, await claimOf(keys));
  const paired = await request<PairedDevice>(path, { method: 'POST', body });
  // What an earlier pairing of this browser kept is not for these keys.
  await forgetDevice();
  const { kid, encryption, signing } = hub;
  const { deviceId: id, person, session } = paired;
  await keepDevice({ id, person, session, name, keys, hub: { kid, encryption, signing } } satisfies Device);
  announce('device');
  // Without it a browser short of space may drop the keys. It may refuse; then they last as long as it lets them.
  await navigator.storage.persist().catch(() => false);
  return { ...paired, isByLink: 'mac' in body };
}

/** With the proof that the private keys are here. */
async function shownKeys(
  { hub, name, keys }: PairPlace & { keys: SignalKeys },
  ref: string,
  claim: object,
): Promise<object> {
  const proof = await signBytes(keys, 'pair', pairingProofBytes({ ref, kid: keys.public.kid, hubKid: hub.kid }));
  return { device: { name, ...keys.public }, proof, ...claim };
}
