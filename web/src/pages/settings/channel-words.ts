// Channels in words, and their test.
import type { ChannelView } from '../../../../src/contract/signal/channel.js';
import { call } from '../../data/api.js';

export type Channel = ChannelView;

export const kindNames: Readonly<Record<Channel['kind'], string>> = {
  'web-push': 'Push to a device',
  ntfy: 'ntfy',
  webhook: 'Webhook',
};

export function ownPushChannel(channels: readonly Channel[], deviceId: string | undefined): Channel | undefined {
  return channels.find((channel) => channel.kind === 'web-push' && channel.deviceId === deviceId);
}

/** What became of a test, in words. */
export async function testChannel(channelId: string): Promise<string> {
  const tested = await call<{ success: boolean; fault?: string; removed?: boolean }>('test_channel', { channelId });
  if (tested.success) return 'Sent. It should appear within seconds.';
  return `Not sent: ${tested.fault ?? 'no reason given.'}${tested.removed === true ? ' The channel was removed.' : ''}`;
}
