// Pairing by the short code, which is typed. The device is not verified then.
import { useState } from 'preact/hooks';
import { readPairingCode } from '../../../../src/contract/pairing-link.js';
import type { PublicKeys } from '../../../../src/contract/signal.js';
import { pairByCode, type Paired } from '../../device/pair.js';
import { readPlatform } from '../../device/platform.js';
import { State } from '../../parts/state.js';
import { useWork } from '../settings/use-work.js';
import { DeviceName } from './device-name.js';
import { PairFault } from './pair-fault.js';

export interface ByCodeProps {
  hubName: string;
  keys: PublicKeys;
  isLinkBroken: boolean;
  onPaired: (paired: Paired) => void;
}

export function ByCode({ hubName, keys, isLinkBroken, onPaired }: ByCodeProps) {
  const [typed, setTyped] = useState('');
  const [name, setName] = useState(() => readPlatform().name);
  const { isBusy, error, run } = useWork();
  const code = readPairingCode(typed);
  const pair = (given: string) =>
    run(async () => {
      onPaired(await pairByCode({ hub: keys, name: name.trim() }, given));
    });
  return (
    <>
      {isLinkBroken && (
        <State tone="warn" icon="warning" title="This link is not whole.">
          A part is missing, perhaps at a line break. Scan the picture again, or type the code beside it.
        </State>
      )}
      <div>
        <h2 class="lead">Pair this device with a code</h2>
        <p class="muted lead-sub">
          The hub <bdi>{hubName}</bdi> shows a picture and a code when you run <code>coterie pair</code> on its machine,
          or on the Settings page of a device of yours. Scan the picture with the camera, or type the code here.
        </p>
      </div>
      <form
        class="fields-stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (code !== undefined && name.trim() !== '') void pair(code);
        }}
      >
        <label class="small">
          Code, such as K7M2-P9X4
          <input
            class="field pair-code"
            required
            maxLength={20}
            autocapitalize="characters"
            autocomplete="one-time-code"
            spellcheck={false}
            dir="ltr"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        <DeviceName name={name} onInput={setName} />
        <div class="btn-row">
          <button class="btn btn-main" type="submit" disabled={isBusy || code === undefined || name.trim() === ''}>
            {isBusy ? 'Pairing…' : 'Pair this device'}
          </button>
        </div>
      </form>
      {error !== undefined && <PairFault error={error} />}
      <p class="small muted">
        A code is short, so the device is not verified yet: it cannot decide permission prompts until you compared its
        safety number.
      </p>
    </>
  );
}
