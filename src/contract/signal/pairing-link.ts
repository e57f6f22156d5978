// The two forms of a pairing: a link, whose secret is in the fragment, and a code to type. Runs in browsers too.

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

export interface PairingLink {
  pairingId: string;
  /** 128 bits, base64url. */
  secret: string;
  hubKid: string;
}

/** The secret is in the fragment, which browsers do not send. */
export function pairingLink(hubUrl: string, { pairingId, secret, hubKid }: PairingLink): string {
  return `${hubUrl}/app/pair#${pairingId}.${secret}.${hubKid}`;
}

/** A link, or its fragment. */
export function readPairingLink(given: string): PairingLink | undefined {
  const fragment = given.length > 2_000 ? '' : given.slice(given.indexOf('#') + 1).trim();
  const [, pairingId, secret, hubKid] = /^(p-[a-z0-9]{16})\.([\w-]{22})\.([\w-]{16,64})$/.exec(fragment) ?? [];
  if (pairingId === undefined || secret === undefined || hubKid === undefined) return undefined;
  return { pairingId, secret, hubKid };
}
