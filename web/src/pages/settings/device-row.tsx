// One device, and what can be done with it.
import { useState } from 'preact/hooks';
import type { PublicKeys } from '../../../../src/contract/signal/signal.js';
import { announce } from '../../data/announce.js';
import { call } from '../../data/api.js';
import { now } from '../../data/clock.js';
import { hub } from '../../data/hub.js';
import { afterPairing } from '../../data/start.js';
import { Icon } from '../../parts/icon.js';
import { ErrorState } from '../../parts/state.js';
import { atTime } from '../../parts/words/time-words.js';
import { useWork, type Work } from './use-work.js';
import { VerifyDevice } from './verify-device.js';

export interface ListedDevice extends PublicKeys {
  id: string;
  person: string;
  name: string;
  verified: boolean;
  pairedAt: string;
  lastSeenAt: string | null;
}

type Doing = 'verify' | 'rename' | 'revoke';

export function DeviceRow({ device, onChange }: { device: ListedDevice; onChange: () => Promise<void> }) {
  const [doing, setDoing] = useState<Doing>();
  const work = useWork();
  const isThis = device.id === hub.value?.signedIn?.deviceId;
  const toggle = (wanted: Doing) => setDoing(doing === wanted ? undefined : wanted);
  const done = async () => {
    setDoing(undefined);
    if (isThis) await afterPairing();
    await onChange();
  };
  return (
    <div class="row">
      <Icon name="phone" />
      <div class="row-main stack-s">
        <div>
          <p>
            <b>
              <bdi>{device.name}</bdi>
            </b>
            {isThis && ', this one'}
          </p>
          <p class="row-sub">
            {device.verified ? 'Verified' : 'Not verified: cannot decide permission prompts'} · paired{' '}
            {atTime(Date.parse(device.pairedAt), now.value)}
            {device.lastSeenAt !== null && ` · seen ${atTime(Date.parse(device.lastSeenAt), now.value)}`}
          </p>
        </div>
        <div class="links">
          {!device.verified && (
            <Toggle name="Verify" device={device} isOpen={doing === 'verify'} onClick={() => toggle('verify')} />
          )}
          <Toggle name="Rename" device={device} isOpen={doing === 'rename'} onClick={() => toggle('rename')} />
          <Toggle name="Revoke" device={device} isOpen={doing === 'revoke'} onClick={() => toggle('revoke')} />
        </div>
        {doing === 'verify' && <VerifyDevice device={device} isThis={isThis} onDone={done} />}
        {doing === 'rename' && <Rename device={device} work={work} onDone={done} />}
        {doing === 'revoke' && <Revoke device={device} isThis={isThis} work={work} onDone={done} />}
        {work.error !== undefined && <ErrorState error={work.error} />}
      </div>
    </div>
  );
}

interface ToggleProps {
  name: string;
  device: ListedDevice;
  isOpen: boolean;
  onClick: () => void;
}

function Toggle({ name, device, isOpen, onClick }: ToggleProps) {
  return (
    <button
      class="textlink"
      type="button"
      aria-expanded={isOpen}
      aria-label={`${name} ${device.name}`}
      onClick={onClick}
    >
      {name}
    </button>
  );
}

interface DoProps {
  device: ListedDevice;
  work: Work;
  onDone: () => Promise<void>;
}

function Rename({ device, work, onDone }: DoProps) {
  const [name, setName] = useState(device.name);
  const rename = () =>
    work.run(async () => {
      await call('rename_device', { deviceId: device.id, name: name.trim() });
      await onDone();
    });
  return (
    <form
      class="free"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') void rename();
      }}
    >
      <input
        class="field"
        aria-label="New name"
        value={name}
        maxLength={100}
        autocomplete="off"
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <button class="btn" type="submit" disabled={work.isBusy || name.trim() === ''}>
        Rename
      </button>
    </form>
  );
}

function Revoke({ device, isThis, work, onDone }: DoProps & { isThis: boolean }) {
  const revoke = () =>
    work.run(async () => {
      await call('revoke_device', { deviceId: device.id });
      if (isThis) {
        await (await import('../../device/forget-device.js')).forgetDevice();
        announce('device');
      }
      await onDone();
    });
  return (
    <div class="stack-s">
      <p class="small">
        {isThis ? 'This browser is signed out at once.' : 'It is signed out at once.'} It gets no new questions. What it
        has opened before, it may have kept. Questions that wait stay readable on your other devices.
      </p>
      <div class="btn-row">
        <button class="btn" type="button" disabled={work.isBusy} onClick={() => void revoke()}>
          Revoke {device.name}
        </button>
      </div>
    </div>
  );
}
