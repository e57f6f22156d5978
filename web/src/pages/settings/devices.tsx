// The person's devices: verify, rename, revoke, and pair another.
import { call } from '../../data/api.js';
import { hub } from '../../data/hub.js';
import { Section } from '../../parts/section.js';
import { ErrorState } from '../../parts/state.js';
import { DeviceRow, type ListedDevice } from './device-row.js';
import { PairAnother } from './pair-another.js';
import { useReading } from './use-work.js';

async function readDevices(): Promise<ListedDevice[]> {
  const { devices } = await call<{ devices: ListedDevice[] }>('list_devices', {});
  const me = hub.value?.signedIn?.person ?? hub.value?.localPerson;
  return devices.filter(({ person }) => person === me);
}

export function Devices() {
  const { value: devices, error, again } = useReading(readDevices);
  return (
    <Section id="devices" title="Devices">
      <div class="stack-m">
        {error !== undefined && <ErrorState error={error} />}
        {devices?.length === 0 && (
          <p class="muted">
            None. A paired device gets pushes, opens encrypted questions and decides permission prompts.
          </p>
        )}
        {devices !== undefined && devices.length > 0 && (
          <ul class="rows">
            {devices.map((device) => (
              <li key={device.id}>
                <DeviceRow device={device} onChange={again} />
              </li>
            ))}
          </ul>
        )}
        <PairAnother onPaired={again} />
      </div>
    </Section>
  );
}
