// Sends a message to a Web Push subscription: RFC 8030.
import { createHash } from 'node:crypto';
import type { WebPushSettings } from './channel-settings.js';
import { encryptPush } from './encrypt.js';
import { payloadOf, shortPayload } from './payload.js';
import { post, requestMsMax, type PostAnswer } from './post.js';
import { urgencyOf } from './pushed-message.js';
import type { PushTask, SendPorts } from './send-push.js';
import { vapidAuthorization } from './vapid.js';

/** Services keep nothing longer. */
const ttlSecondsMax = 28 * 24 * 60 * 60;

export async function sendWebPush(
  ports: SendPorts,
  { endpoint, keys }: WebPushSettings,
  { message, kid, signal }: PushTask,
): Promise<PostAnswer> {
  const { secret, guard, contact, clock } = ports;
  const target = guard.webPush(endpoint);
  const now = clock.now();
  const left = message.expiresAt === null ? ttlSecondsMax : Math.floor((message.expiresAt - now) / 1_000);
  const vapid = { publicKey: secret.identity.vapid, privateKey: secret.vapidKey };
  const headers = {
    authorization: vapidAuthorization(vapid, { origin: target.url.origin, contact, now }),
    'content-type': 'application/octet-stream',
    'content-encoding': 'aes128gcm',
    ttl: String(Math.min(ttlSecondsMax, Math.max(0, left))),
    urgency: urgencyOf(message),
    topic: topicOf(message),
  };
  const facts = { appUrl: ports.appUrl(), kid, hubKeys: secret.identity };
  const end = clock.monotonic() + requestMsMax;
  const send = (plaintext: Buffer) => {
    const withinMs = Math.max(0, end - clock.monotonic());
    return post(target, { headers, body: encryptPush(keys, plaintext), withinMs, signal });
  };
  const answer = await send(payloadOf(message, facts));
  return answer.status === 413 ? send(shortPayload(message, facts)) : answer;
}

/** A service replaces a message that it still holds by one with the same topic: a push sent twice is shown once. */
function topicOf({ sessionId, id }: { sessionId: string; id: string }): string {
  return createHash('sha256').update(`${sessionId}\0${id}`).digest('base64url').slice(0, 32);
}
