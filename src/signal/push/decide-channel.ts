// What may become a channel. Pure, but for the check of a subscription's keys.
import type { setChannel as contract } from '../../contract/operations/set-channel.js';
import { HubError } from '../../contract/errors.js';
import type { InputOf } from '../../contract/operation.js';
import type { ChannelKind } from '../../contract/signal/channel.js';
import type { ChannelSettings } from './channel-settings.js';
import { areSubscriptionKeys } from './encrypt.js';
import { withoutEndSlashes } from '../../contract/base-url.js';

const defaultNtfyServer = 'https://ntfy.sh';

type Given = InputOf<typeof contract>;

const fieldsOf: Record<ChannelKind, readonly (keyof Given)[]> = {
  'web-push': ['endpoint', 'keys'],
  ntfy: ['server', 'topic', 'token'],
  webhook: ['url', 'secret'],
};

/** `newSecret` is used for a webhook without one. */
export function decideSettings(given: Given, newSecret: string): ChannelSettings {
  const { kind, endpoint, keys, server, topic, token, url, secret } = given;
  const others = Object.values(fieldsOf)
    .flat()
    .filter((field) => given[field] !== undefined && !fieldsOf[kind].includes(field));
  if (others[0] !== undefined) throw invalid(others[0], `is not for a channel of kind ${kind}`);
  if (kind === 'web-push') {
    if (endpoint === undefined) throw invalid('endpoint', 'is missing');
    if (keys === undefined || !areSubscriptionKeys(keys)) throw invalid('keys', 'must be the keys of a subscription');
    return { kind, endpoint, keys };
  }
  if (kind === 'ntfy') {
    if (topic === undefined) throw invalid('topic', 'is missing');
    const origin = originOf(server ?? defaultNtfyServer);
    return { kind, server: origin, topic, ...(token === undefined ? {} : { token }) };
  }
  if (url === undefined) throw invalid('url', 'is missing');
  return { kind, url, secret: secret ?? newSecret };
}

/** What a person sees of it: a topic and the path of a webhook are secrets. */
export function labelOf(settings: ChannelSettings, deviceName: string): string {
  if (settings.kind === 'web-push') return deviceName;
  if (settings.kind === 'ntfy') return `${new URL(settings.server).host}/${settings.topic.slice(0, 3)}…`;
  return new URL(settings.url).host;
}

function originOf(server: string): string {
  if (!URL.canParse(server)) throw invalid('server', 'must be a URL such as https://ntfy.sh');
  return `${withoutEndSlashes(new URL(server).href)}/`;
}

function invalid(field: string, why: string): HubError {
  return new HubError('INVALID_INPUT', `${field}: ${why}.`, {
    hint: 'web-push takes endpoint and keys; ntfy topic, server and token; webhook url and secret.',
    details: { field },
  });
}

export function personOnly(): HubError {
  return new HubError('FORBIDDEN', 'Channels and quiet hours are a person’s own.', {
    hint: 'Call as a person: in the app, with a person’s key, or with --as NAME on the hub’s machine.',
  });
}

export function deviceOnly(): HubError {
  return new HubError('FORBIDDEN', 'Only a paired device can subscribe to Web Push, for itself.', {
    hint: 'Open the app on the device, pair it, and turn notifications on in its settings.',
  });
}

export function channelUnknown(id: string): HubError {
  return new HubError('CHANNEL_UNKNOWN', `You have no channel ${id.slice(0, 64)}.`, {
    hint: 'Take an id from list_channels.',
    details: { channelId: id },
  });
}
