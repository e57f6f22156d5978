// Where questions and alerts are sent besides this page: list, test, remove, add.
import { useState } from 'preact/hooks';
import { call } from '../../data/api.js';
import { now } from '../../data/clock.js';
import { hub } from '../../data/hub.js';
import { Icon } from '../../parts/icon.js';
import { Section } from '../../parts/section.js';
import { ErrorState } from '../../parts/state.js';
import { atTime } from '../../parts/words/time-words.js';
import { AddChannel } from './add-channel.js';
import { kindNames, testChannel, type Channel } from './channel-words.js';
import { useReading, useWork } from './use-work.js';

async function readChannels(): Promise<Channel[]> {
  return (await call<{ channels: Channel[] }>('list_channels', {})).channels;
}

export function Channels() {
  const { value: channels, error, again } = useReading(readChannels);
  return (
    <Section id="channels" title="Channels">
      <div class="stack-m">
        {error !== undefined && <ErrorState error={error} />}
        {channels?.length === 0 && (
          <p class="muted">None yet. Turn on notifications of a device, or add one that works without https here.</p>
        )}
        {channels !== undefined && channels.length > 0 && (
          <ul class="rows">
            {channels.map((channel) => (
              <li key={channel.id}>
                <ChannelRow channel={channel} onChange={again} />
              </li>
            ))}
          </ul>
        )}
        {channels !== undefined && <AddChannel onAdded={again} />}
      </div>
    </Section>
  );
}

function ChannelRow({ channel, onChange }: { channel: Channel; onChange: () => Promise<void> }) {
  const { isBusy, error, run } = useWork();
  const [said, say] = useState<string>();
  const isHere = channel.deviceId !== undefined && channel.deviceId === hub.value?.signedIn?.deviceId;
  const test = () =>
    run(async () => {
      say(undefined);
      say(await testChannel(channel.id));
      await onChange();
    });
  const remove = () =>
    run(async () => {
      await call('remove_channel', { channelId: channel.id });
      await onChange();
    });
  return (
    <div class="row">
      <Icon name={channel.fault === undefined ? 'success' : 'error'} />
      <div class="row-main">
        <p>
          {kindNames[channel.kind]}
          {isHere && ', this one'}
        </p>
        <p class="row-sub">
          <bdi>{channel.label}</bdi>
        </p>
        <p class="row-sub">{stateOf(channel)}</p>
        {said !== undefined && error === undefined && (
          <p class="effect" role="status">
            {said}
          </p>
        )}
        {error !== undefined && <ErrorState error={error} />}
      </div>
      <div class="btn-row row-act">
        <button
          class="btn"
          type="button"
          disabled={isBusy}
          aria-label={`Test ${channel.label}`}
          onClick={() => void test()}
        >
          Test
        </button>
        <button
          class="btn btn-quiet"
          type="button"
          disabled={isBusy}
          aria-label={`Remove ${channel.label}`}
          onClick={() => void remove()}
        >
          Remove
        </button>
      </div>
    </div>
  );
}

function stateOf({ fault, faultAt, lastOkAt }: Channel): string {
  const worked = lastOkAt === undefined ? 'Not used yet.' : `Worked last ${atTime(Date.parse(lastOkAt), now.value)}.`;
  if (fault === undefined) return worked;
  return `Failed${faultAt === undefined ? '' : ` ${atTime(Date.parse(faultAt), now.value)}`}: ${fault} ${worked}`;
}
