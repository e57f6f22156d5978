// Sends a message to a webhook, signed so that the receiver can tell that it is from this hub and fresh.
import { createHmac } from 'node:crypto';
import type { WebhookSettings } from './channel-settings.js';
import { post, type PostAnswer } from './post.js';
import { headlineOf, linkTo, readableContent, urgencyOf } from './pushed-message.js';
import type { PushTask, SendPorts } from './send-push.js';

export function sendWebhook(
  { guard, appUrl, clock }: SendPorts,
  { url, secret }: WebhookSettings,
  { message, person, deliveryId, signal }: PushTask,
): Promise<PostAnswer> {
  const { id, kind, sender, senderName, level, alertType, projectId, askedAt, expiresAt } = message;
  const content = readableContent(message);
  const body = JSON.stringify({
    v: 1,
    kind,
    id,
    person,
    from: sender,
    fromName: senderName,
    summary: headlineOf(message),
    urgency: urgencyOf(message),
    encryption: level,
    url: linkTo(appUrl(), message),
    askedAt: new Date(askedAt).toISOString(),
    ...(expiresAt === null ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
    ...(alertType === null ? {} : { alertType }),
    ...(projectId === null ? {} : { projectId }),
    ...(content === null ? {} : { content }),
  });
  const headers = signedHeaders({ secret, body, deliveryId, now: clock.now() });
  return post(guard.anyHost(url), { headers, body: Buffer.from(body), signal });
}

/** Of a webhook of a person, or of a wake route. */
export function signedHeaders(request: {
  secret: string;
  body: string;
  deliveryId: string;
  now: number;
}): Record<string, string> {
  const { secret, body, deliveryId, now } = request;
  const seconds = Math.floor(now / 1_000);
  return {
    'content-type': 'application/json',
    'coterie-delivery': deliveryId,
    'coterie-signature': `t=${seconds},v1=${signatureOf(secret, `${seconds}.${body}`)}`,
  };
}

function signatureOf(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
