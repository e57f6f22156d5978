// Channels in words.
import type { ChannelView } from '../../../../src/contract/channel.js';

export type Channel = ChannelView;

export const kindNames: Readonly<Record<Channel['kind'], string>> = {
  'web-push': 'Push to a device',
  ntfy: 'ntfy',
  webhook: 'Webhook',
};

export function ownPushChannel(channels: readonly Channel[], deviceId: string | undefined): Channel | undefined {
  return channels.find((channel) => channel.kind === 'web-push' && channel.deviceId === deviceId);
}
