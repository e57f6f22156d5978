// Compares the safety number of a device: the same on both sides only if nobody replaced a key in between.
import { safetyNumber } from '../../../../src/signal/envelope/index.js';
import { call } from '../../data/api.js';
import { hub } from '../../data/hub.js';
import { ErrorState } from '../../parts/state.js';
import type { ListedDevice } from './device-row.js';
import { useReading, useWork } from './use-work.js';
import { useCallback } from 'preact/hooks';

export interface VerifyDeviceProps {
  device: ListedDevice;
  isThis: boolean;
  onDone: () => Promise<void>;
}

export function VerifyDevice({ device, isThis, onDone }: VerifyDeviceProps) {
  const { isBusy, error, run } = useWork();
  const keys = hub.value?.hub;
  const compute = useCallback(async () => (keys === undefined ? '' : safetyNumber(device, keys)), [device, keys]);
  const { value: number } = useReading(compute);
  const verify = () =>
    run(async () => {
      await call('verify_device', { deviceId: device.id });
      await onDone();
    });
  return (
    <div class="stack-s">
      <p class="small">The safety number of this device and the hub, as this browser computes it:</p>
      <p class="safety" aria-live="polite">
        {number ?? '…'}
      </p>
      {isThis ? (
        <p class="small">
          Compare it with what the terminal or a verified device of yours shows for this device, and confirm it there:{' '}
          <code>coterie devices verify {device.id}</code>. A device cannot vouch for itself.
        </p>
      ) : (
        <>
          <p class="small">
            On <bdi>{device.name}</bdi>, open Settings, Devices, Verify. If both show the same number, confirm it here.
          </p>
          <div class="btn-row">
            <button class="btn" type="button" disabled={isBusy || number === undefined} onClick={() => void verify()}>
              The numbers are the same
            </button>
          </div>
        </>
      )}
      {error !== undefined && <ErrorState error={error} />}
    </div>
  );
}
