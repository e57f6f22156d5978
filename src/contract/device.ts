// A person's device and its pairing, as callers see them.
import { z } from 'zod';
import { filledText } from './fields.js';
import { publicKeys } from './signal.js';

export const deviceRef = z.string().regex(/^d-[a-z0-9]{12}$/, 'must be the id of a device, such as d-k7m2p9x4q6ab');

export const deviceName = filledText('nameChars').overwrite((given) => given.trim());

export const deviceView = publicKeys.extend({
  id: z.string(),
  person: z.string(),
  name: z.string(),
  verified: z.boolean().describe('Its keys are known to be its own; only then it may decide permission prompts'),
  pairedAt: z.string(),
  verifiedAt: z.string().nullable(),
  lastSeenAt: z.string().nullable(),
  isThis: z.boolean().optional().describe('The call came from this device'),
});
export type DeviceView = z.output<typeof deviceView>;

export function deviceText({ id, person, name, verified, lastSeenAt }: DeviceView): string {
  return `${id} "${name}" of ${person}, ${verified ? 'verified' : 'not verified'}, ${lastSeenAt === null ? 'never seen' : `seen ${lastSeenAt}`}`;
}

/** Crockford's alphabet: no letter is mistaken for another. */
export const codeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** The first letters find the pairing, the others prove that the code is known. */
export const codeLocatorChars = 3;
const codePattern = /^[0-9A-HJKMNP-TV-Z]{8}$/;

/** As it is typed: in any case, with or without the dash, with O for 0 and I or L for 1. Undefined if it is no code. */
export function readPairingCode(given: string): string | undefined {
  if (given.length > 20) return undefined;
  const code = given.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return codePattern.test(code) ? code : undefined;
}

export function showPairingCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** The secret is in the fragment, which browsers do not send. */
export function pairingLink(hubUrl: string, { pairingId, secret, hubKid }: PairingLink): string {
  return `${hubUrl}/app/pair#${pairingId}.${secret}.${hubKid}`;
}

export interface PairingLink {
  pairingId: string;
  /** 128 bits, base64url. */
  secret: string;
  hubKid: string;
}

/** A link, or its fragment. */
export function readPairingLink(given: string): PairingLink | undefined {
  const fragment = given.length > 2_000 ? '' : given.slice(given.indexOf('#') + 1).trim();
  const [, pairingId, secret, hubKid] = /^(p-[a-z0-9]{16})\.([\w-]{22})\.([\w-]{16,64})$/.exec(fragment) ?? [];
  if (pairingId === undefined || secret === undefined || hubKid === undefined) return undefined;
  return { pairingId, secret, hubKid };
}
