// The paired devices of everyone in this session; each can be ended.
import type { DeviceView } from '../../../../src/contract/signal/device.js';
import { call } from '../../data/api.js';
import { now } from '../../data/clock.js';
import { spellHidden } from '../../parts/hidden-chars.js';
import { Icon } from '../../parts/icon.js';
import { Section } from '../../parts/section.js';
import { ErrorState } from '../../parts/state.js';
import { atTime } from '../../parts/words/time-words.js';
import { useReading, useWork } from '../settings/use-work.js';
import { Confirm } from './confirm.js';
import { Listed } from './listed.js';
import { useSlices } from './use-slices.js';

async function readDevices(): Promise<DeviceView[]> {
  return (await call<{ devices: DeviceView[] }>('list_devices', {})).devices;
}

export function Devices() {
  const pages = useSlices(useReading(readDevices));
  return (
    <Section id="h-all-devices" title="Devices of people">
      <div class="stack-m">
        <Listed pages={pages} none="No device is paired." keyOf={({ id }) => id}>
          {(device) => <DeviceRow device={device} onChange={pages.again} />}
        </Listed>
      </div>
    </Section>
  );
}

function DeviceRow({ device, onChange }: { device: DeviceView; onChange: () => Promise<void> }) {
  const { id, person, name, verified, pairedAt, lastSeenAt, isThis } = device;
  const { isBusy, error, run } = useWork();
  const revoke = () =>
    run(async () => {
      await call('revoke_device', { deviceId: id });
      await onChange();
    });
  return (
    <div class="row">
      <Icon name="phone" />
      <div class="row-main">
        <p>
          <b>
            <bdi>{spellHidden(person)}</bdi>
          </b>
          , <bdi>{spellHidden(name)}</bdi>
          {isThis === true && <span class="row-sub"> this page</span>}
        </p>
        <p class="row-sub">
          {verified ? 'Verified' : 'Not verified'} · paired {atTime(Date.parse(pairedAt), now.value)}
          {lastSeenAt !== null && ` · seen ${atTime(Date.parse(lastSeenAt), now.value)}`}
        </p>
        <div class="btn-row">
          <Confirm
            act="Revoke"
            target={`${name} of ${person}`}
            warning="It is signed out, and gets no more pushes."
            isBusy={isBusy}
            onConfirm={() => void revoke()}
          />
        </div>
        {error !== undefined && <ErrorState error={error} />}
      </div>
    </div>
  );
}
