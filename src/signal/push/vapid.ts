// Says to a push service who sends: RFC 8292, a token signed with the hub's VAPID key.
import { sign, type KeyObject } from 'node:crypto';

export interface VapidKeys {
  /** Base64url of the raw point. */
  publicKey: string;
  privateKey: KeyObject;
}

/** Services refuse more than 24 hours. */
const tokenSeconds = 12 * 60 * 60;

export function vapidAuthorization(
  { publicKey, privateKey }: VapidKeys,
  { origin, contact, now }: { origin: string; contact: string; now: number },
): string {
  const claims = { aud: origin, exp: Math.floor(now / 1_000) + tokenSeconds, sub: contact };
  const signed = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
