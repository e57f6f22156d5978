// Sends one message through one channel, and says what became of it.
import { HubError } from '../../contract/errors.js';
import type { ChannelRecord } from '../../ports/channels.js';
import type { Clock } from '../../ports/clock.js';
import type { HubSecret } from '../../ports/hub-secret.js';
import { parseSettings } from './channel-settings.js';
import type { SendResult } from './decide-outcome.js';
import type { EndpointGuard } from './endpoint-guard.js';
import { sendNtfy } from './ntfy.js';
import type { PushedMessage } from './pushed-message.js';
import { sendWebhook } from './webhook.js';
import { sendWebPush } from './web-push.js';

export interface SendPorts {
  secret: Pick<HubSecret, 'identity' | 'vapidKey' | 'unbox' | 'mac'>;
  guard: EndpointGuard;
  /** Whom a push service may write to: mailto: or https:. */
  contact: string;
  /** Where a person opens the app. */
  appUrl: () => string;
  clock: Clock;
}

export interface PushTask {
  message: PushedMessage;
  person: string;
  /** Key id of the channel's device. */
  kid: string | null;
  /** The same when it is sent again. */
  deliveryId: string;
  signal?: AbortSignal | undefined;
}

export async function sendPush(ports: SendPorts, channel: ChannelRecord, task: PushTask): Promise<SendResult> {
  try {
    const settings = parseSettings(ports.secret.unbox('channel', channel.settings));
    if (settings.kind === 'web-push') return { answer: await sendWebPush(ports, settings, task) };
    if (settings.kind === 'ntfy') return { answer: await sendNtfy(ports, settings, task) };
    return { answer: await sendWebhook(ports, settings, task) };
  } catch (error) {
    if (error instanceof HubError) return { refused: error.message };
    return { failed: codeOf(error) };
  }
}

/** Without the message: it may name the endpoint. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message.slice(0, 100);
}
