// Pairing by the short code, which is typed; the device is not verified then. A link that is pasted here goes on as one.
import { useState } from 'preact/hooks';
import { readPairingCode, readPairingLink, type PairingLink } from '../../../../src/contract/signal/pairing-link.js';
import type { PublicKeys } from '../../../../src/contract/signal/signal.js';
import { pairByCode, type Paired } from '../../device/pair.js';
import { readPlatform } from '../../device/platform.js';
import { State } from '../../parts/state.js';
import { useWork } from '../settings/use-work.js';
import { DeviceName } from './device-name.js';
import { PairFault } from './pair-fault.js';

const linkCharsMax = 500;

export interface ByCodeProps {
  hubName: string;
  keys: PublicKeys;
  isLinkBroken: boolean;
  /** An app on the Home Screen has no address bar for it. */
  onLink: (link: PairingLink) => void;
  onPaired: (paired: Paired) => void;
}

export function ByCode({ hubName, keys, isLinkBroken, onLink, onPaired }: ByCodeProps) {
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
        <h2 class="lead">Pair this device</h2>
        <p class="muted lead-sub">
          <code>coterie pair</code>, on the machine of the hub <bdi>{hubName}</bdi>, and the Settings page of a device
          of yours show a picture and a link or a code. Scan the picture with the camera, paste the link here, or type
          the code.
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
          Code, such as K7M2-P9X4, or link
          <input
            class="field pair-code"
            required
            maxLength={linkCharsMax}
            autocapitalize="characters"
            autocomplete="one-time-code"
            spellcheck={false}
            dir="ltr"
            value={typed}
            onInput={(event) => {
              const { value } = event.currentTarget;
              const link = readPairingLink(value);
              if (link === undefined) setTyped(value);
              else onLink(link);
            }}
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
      <p class="small muted">
        Or <a href="/app/sign-in">sign in with a key</a>.
      </p>
    </>
  );
}
