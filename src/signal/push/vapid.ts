// Says to a push service who sends: RFC 8292, a token signed with the hub's VAPID key.
import { createPrivateKey, sign } from 'node:crypto';

/** Both base64url: the raw point, and the private scalar. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/** Services refuse more than 24 hours. */
const tokenSeconds = 12 * 60 * 60;

export function vapidAuthorization(
  { publicKey, privateKey }: VapidKeys,
  { origin, contact, now }: { origin: string; contact: string; now: number },
): string {
  const claims = { aud: origin, exp: Math.floor(now / 1_000) + tokenSeconds, sub: contact };
  const signed = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`;
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const key = createPrivateKey({
    key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '', d: privateKey },
    format: 'jwk',
  });
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
