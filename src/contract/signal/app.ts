// What the hub's page posts to /app: the bodies of pairing and sign-in.
import { z } from 'zod';
import { deviceName } from './device.js';
import { publicKeys } from './signal.js';

const signature = z.string().min(1).max(128);
const shown = {
  device: publicKeys.extend({ name: deviceName }),
  /** Signed for `pair`: see src/signal/pair/signed-bytes.ts. */
  proof: signature,
};

export const pairByLink = z.object({
  ...shown,
  pairingId: z.string().min(1).max(64),
  claim: z.string().min(1).max(128),
  mac: z.string().regex(/^[\w-]{43}$/, 'must be a MAC as base64url'),
});
export const pairByCode = z.object({ ...shown, code: z.string().min(1).max(40) });
/** Whom a link pairs for: the page shows it, and binds its keys to that person. */
export const lookUpPairing = z.object({ pairingId: z.string().min(1).max(64) });
export const pairOnPage = z.object(shown);

export type PairByLink = z.output<typeof pairByLink>;
export type PairByCode = z.output<typeof pairByCode>;
export type ShownDevice = z.output<typeof pairOnPage>;

const deviceId = z.string().min(1).max(64);
export const challengeRequest = z.object({ deviceId });
export const signInRequest = z.object({ deviceId, challenge: z.string().max(200), signature });
/** A key that was pasted into the page. */
export const keySignInRequest = z.object({ key: z.string().min(1).max(200) });
export const linkSignInRequest = z.object({ linkId: z.string().min(1).max(64), secret: z.string().min(1).max(128) });
export type LinkSignInRequest = z.output<typeof linkSignInRequest>;
export type SignInRequest = z.output<typeof signInRequest>;
