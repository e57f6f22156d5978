// New keys for this device: what that does, and how far it has come.
import { useEffect, useState } from 'preact/hooks';
import { readRenewal } from '../../device/identity.js';
import { onChange } from '../../data/announce.js';
import { hub } from '../../data/hub.js';
import { afterPairing } from '../../data/start.js';
import { Section } from '../../parts/section.js';
import { ErrorState, State } from '../../parts/state.js';
import { useReading, useWork } from './use-work.js';

async function readIsBegun(): Promise<boolean> {
  return (await readRenewal()) !== undefined;
}

export function RenewKeys() {
  const { value: isBegun, again } = useReading(readIsBegun);
  const { isBusy, error, run } = useWork();
  const [isDone, setDone] = useState(false);
  useEffect(() => onChange((change) => void (change === 'device' && again())), [again]);
  const renew = () =>
    run(async () => {
      setDone(false);
      try {
        await (await import('../../device/renew.js')).renewKeys();
        await afterPairing();
        setDone(true);
      } finally {
        await again();
      }
    });
  return (
    <Section id="keys" title="Keys of this device">
      <div class="stack-m">
        <p class="muted">
          If someone may have got at this browser’s data, renew its keys: new ones take over the questions that wait,
          then the old ones end, and with them the sign-in.
        </p>
        {isBegun === true && !isBusy && (
          <State tone="warn" icon="warning" title="The new keys have not taken over yet.">
            Until they have, the old ones work on. It goes on by itself when the hub can be reached.
          </State>
        )}
        <div class="btn-row">
          <button class="btn" type="button" disabled={isBusy} onClick={() => void renew()}>
            {isBusy ? 'Renewing …' : isBegun === true ? 'Go on' : 'Renew this device’s keys'}
          </button>
        </div>
        {isDone && <Renewed />}
        {error !== undefined && <ErrorState error={error} />}
      </div>
    </Section>
  );
}

/** Programs that check devices themselves do not take the hub's word for the new keys. */
function Renewed() {
  const { mode, signedIn } = hub.value ?? {};
  const command = <code>coterie devices verify {signedIn?.deviceId}</code>;
  return (
    <State tone="good" icon="success" title="The keys of this device are new.">
      {signedIn?.verified === true
        ? 'It is still verified. '
        : 'It is not verified, as before: it cannot decide permission prompts. '}
      {mode === 'open' ? (
        <>Before it decides permission prompts, compare its safety number where the agents run: {command}</>
      ) : (
        <>Programs with --require-e2e need its safety number compared where they run: {command}</>
      )}
    </State>
  );
}
