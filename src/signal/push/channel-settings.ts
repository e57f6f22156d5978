// What is kept of a channel in its box.
import { z } from 'zod';

export const webPushSettings = z.object({
  endpoint: z.string(),
  keys: z.object({ p256dh: z.string(), auth: z.string() }),
});
export type WebPushSettings = z.output<typeof webPushSettings>;

export const ntfySettings = z.object({ server: z.string(), topic: z.string(), token: z.string().optional() });
export type NtfySettings = z.output<typeof ntfySettings>;

export const webhookSettings = z.object({ url: z.string(), secret: z.string() });
export type WebhookSettings = z.output<typeof webhookSettings>;

export type ChannelSettings =
  | ({ kind: 'web-push' } & WebPushSettings)
  | ({ kind: 'ntfy' } & NtfySettings)
  | ({ kind: 'webhook' } & WebhookSettings);

const stored = z.discriminatedUnion('kind', [
  webPushSettings.extend({ kind: z.literal('web-push') }),
  ntfySettings.extend({ kind: z.literal('ntfy') }),
  webhookSettings.extend({ kind: z.literal('webhook') }),
]);

export function parseSettings(text: string): ChannelSettings {
  return stored.parse(JSON.parse(text));
}

/** Two channels with the same target are one. */
export function targetOf(settings: ChannelSettings): string {
  if (settings.kind === 'web-push') return settings.endpoint;
  return settings.kind === 'ntfy' ? `${settings.server}/${settings.topic}` : settings.url;
}
