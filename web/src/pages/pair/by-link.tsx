// Pairing by a link or its QR code: the secret in it also verifies the device.
import { useCallback, useState } from 'preact/hooks';
import type { PairingLink } from '../../../../src/contract/signal/pairing-link.js';
import type { PublicKeys } from '../../../../src/contract/signal/signal.js';
import { lookUpPairing, pairByLink, type Paired } from '../../device/pair.js';
import { readPlatform } from '../../device/platform.js';
import { Bones } from '../../parts/bones.js';
import { useReading, useWork } from '../settings/use-work.js';
import { DeviceName } from './device-name.js';
import { PairFault } from './pair-fault.js';

export interface ByLinkProps {
  hubName: string;
  keys: PublicKeys;
  link: PairingLink;
  onPaired: (paired: Paired) => void;
  onTypeCode: () => void;
}

export function ByLink({ hubName, keys, link, onPaired, onTypeCode }: ByLinkProps) {
  const [name, setName] = useState(() => readPlatform().name);
  const { value: whose, error: unknown } = useReading(useCallback(() => lookUpPairing(keys, link), [keys, link]));
  const { isBusy, error, run } = useWork();
  if (unknown !== undefined) return <PairFault error={unknown} onTypeCode={onTypeCode} />;
  if (whose === undefined) return <Bones label="Reading the link" />;
  const pair = () =>
    run(async () => {
      onPaired(await pairByLink({ hub: keys, name: name.trim() }, link, whose.person));
    });
  return (
    <>
      <div class="asker">
        <span class="who who-person who-l" aria-hidden="true">
          {Array.from(whose.person)[0]}
        </span>
        <div>
          <p>
            This device becomes one of{' '}
            <b class="name">
              <bdi>{whose.personName ?? whose.person}</bdi>
            </b>
          </p>
          <p class="sub">
            at the hub <bdi>{hubName}</bdi>
          </p>
        </div>
      </div>
      <h2 class="lead">Pair this device?</h2>
      <p class="muted">
        It makes its own keys, which never leave it. It can then open questions, answer them, and allow or deny tool
        calls in your name.
      </p>
      <form
        class="fields-stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') void pair();
        }}
      >
        <DeviceName name={name} onInput={setName} />
        <div class="btn-row">
          <button class="btn btn-main" type="submit" disabled={isBusy}>
            {isBusy ? 'Pairing…' : 'Pair this device'}
          </button>
          <a class="btn btn-quiet" href="/">
            Not now
          </a>
        </div>
      </form>
      {error !== undefined && <PairFault error={error} onTypeCode={onTypeCode} />}
    </>
  );
}
