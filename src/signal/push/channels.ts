// list_channels, set_channel, remove_channel, test_channel.
import { randomBytes } from 'node:crypto';
import type { ChannelView } from '../../contract/signal/channel.js';
import type { removeChannel as removeContract } from '../../contract/operations/remove-channel.js';
import type { setChannel as setContract } from '../../contract/operations/set-channel.js';
import type { testChannel as testContract } from '../../contract/operations/test-channel.js';
import type { InputOf, OutputOf } from '../../contract/operation.js';
import type { Caller } from '../../ports/caller.js';
import type { ChannelRecord } from '../../ports/channels.js';
import type { HubSecret } from '../../ports/hub-secret.js';
import type { Ids } from '../../ports/ids.js';
import type { Store } from '../../ports/store.js';
import { parseSettings, targetOf, type ChannelSettings } from './channel-settings.js';
import { channelUnknown, decideSettings, deviceOnly, labelOf } from './decide-channel.js';
import { decideOutcome } from './decide-outcome.js';
import { requirePublicHost, type EndpointGuard } from './endpoint-guard.js';
import { testMessage } from './pushed-message.js';
import { ownerOf, requirePerson } from './require-person.js';
import { sendPush, type SendPorts } from './send-push.js';

export interface ChannelPorts {
  store: Pick<Store, 'findAgent' | 'listChannels' | 'saveChannel' | 'removeChannel' | 'noteChannel'>;
  ids: Pick<Ids, 'channelId'>;
  /** What sends to channels. */
  push: SendPorts & { secret: HubSecret };
}

export async function listChannels({ store }: ChannelPorts, caller: Caller): Promise<{ channels: ChannelView[] }> {
  const personId = await ownerOf(store, caller);
  return { channels: (await store.listChannels({ sessionId: caller.sessionId, personId })).map(viewChannel) };
}

export async function setChannel(
  { store, ids, push }: ChannelPorts,
  caller: Caller,
  input: InputOf<typeof setContract>,
): Promise<OutputOf<typeof setContract>> {
  const { sessionId, grant } = caller;
  const personId = await requirePerson(store, caller);
  const isWebPush = input.kind === 'web-push';
  const device = grant?.device ?? null;
  if (isWebPush && device === null) throw deviceOnly();
  const settings = decideSettings(input, randomBytes(32).toString('base64url'));
  await requireAllowed(push.guard, settings);
  const others = await store.listChannels({ sessionId, personId });
  const same = others.find((other) => hasTarget(push, other, targetOf(settings)));
  const channel = await store.saveChannel({
    sessionId,
    id: ids.channelId(),
    personId,
    deviceId: isWebPush && device !== null ? device.id : null,
    kind: settings.kind,
    label: labelOf(settings, device?.name ?? ''),
    settings: push.secret.box('channel', JSON.stringify(settings)),
    createdAt: push.clock.now(),
    replaces: same?.id ?? null,
  });
  const isNewSecret = settings.kind === 'webhook' && input.secret === undefined;
  return { success: true, channel: viewChannel(channel), ...(isNewSecret ? { secret: settings.secret } : {}) };
}

async function requireAllowed(guard: EndpointGuard, settings: ChannelSettings): Promise<void> {
  if (settings.kind === 'web-push') guard.webPush(settings.endpoint);
  else await requirePublicHost(guard.anyHost(settings.kind === 'ntfy' ? settings.server : settings.url));
}

/** False for what another secret has boxed. */
function hasTarget({ secret }: SendPorts, { settings }: ChannelRecord, target: string): boolean {
  try {
    return targetOf(parseSettings(secret.unbox('channel', settings))) === target;
  } catch {
    return false;
  }
}

export async function removeChannel(
  { store }: ChannelPorts,
  caller: Caller,
  { channelId }: InputOf<typeof removeContract>,
): Promise<OutputOf<typeof removeContract>> {
  const { sessionId } = caller;
  const { id } = await requireChannel(store, caller, channelId);
  if (!(await store.removeChannel({ sessionId, id }))) throw channelUnknown(channelId);
  return { success: true, channelId: id };
}

export async function testChannel(
  { store, push }: ChannelPorts,
  caller: Caller,
  { channelId }: InputOf<typeof testContract>,
): Promise<OutputOf<typeof testContract>> {
  const { sessionId } = caller;
  const channel = await requireChannel(store, caller, channelId);
  const { id, personId, kind } = channel;
  const now = push.clock.now();
  const message = testMessage(sessionId, now);
  const sent = await sendPush(push, channel, { message, person: personId, kid: null, deliveryId: `test.${id}.${now}` });
  const { fault, outcome } = decideOutcome(sent, { kind, attempts: 0, now: push.clock.now(), random: 0 });
  if (outcome.kind === 'gone') await store.removeChannel({ sessionId, id });
  else await store.noteChannel({ sessionId, id, at: push.clock.now(), fault });
  return {
    success: fault === null,
    channelId: id,
    ...('answer' in sent ? { status: sent.answer.status } : {}),
    ...(fault === null ? {} : { fault }),
    ...(outcome.kind === 'gone' ? { removed: true } : {}),
  };
}

async function requireChannel(store: ChannelPorts['store'], caller: Caller, id: string): Promise<ChannelRecord> {
  const personId = await ownerOf(store, caller);
  const channels = await store.listChannels({ sessionId: caller.sessionId, personId });
  const found = channels.find((channel) => channel.id === id);
  if (found === undefined) throw channelUnknown(id);
  return found;
}

function viewChannel(channel: ChannelRecord): ChannelView {
  const { id, kind, personId, label, deviceId, createdAt, lastOkAt, fault, faultAt } = channel;
  return {
    id,
    kind,
    person: personId,
    label,
    ...(deviceId === null ? {} : { deviceId }),
    createdAt: new Date(createdAt).toISOString(),
    ...(lastOkAt === null ? {} : { lastOkAt: new Date(lastOkAt).toISOString() }),
    ...(fault === null ? {} : { fault }),
    ...(faultAt === null ? {} : { faultAt: new Date(faultAt).toISOString() }),
  };
}
