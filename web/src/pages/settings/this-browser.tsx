// A browser that is no device yet: what a device adds, and the ways to become one.
import { useState } from 'preact/hooks';
import { pairHere } from '../../device/pair.js';
import { readPlatform } from '../../device/platform.js';
import { hub } from '../../data/hub.js';
import { afterPairing } from '../../data/start.js';
import { Icon, type IconName } from '../../parts/icon.js';
import { Section } from '../../parts/section.js';
import { ErrorState, State } from '../../parts/state.js';
import { DeviceName } from '../pair/device-name.js';
import { useWork } from './use-work.js';

export function ThisBrowser() {
  const { isBusy, error, run } = useWork();
  const [name, setName] = useState(() => readPlatform().name);
  const known = hub.value;
  const keys = known?.hub;
  if (known === undefined || keys === undefined) return null;
  const makeDevice = () =>
    run(async () => {
      await pairHere({ hub: keys, name: name.trim() });
      await afterPairing();
    });
  return (
    <Section id="this-browser" title="This browser">
      <div class="stack-m">
        <p class="muted">
          You are <b>{known.localPerson}</b>, because this page is on the hub’s own machine. As a device it can do more:
        </p>
        <Gains />
        <form
          class="fields-stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() !== '') void makeDevice();
          }}
        >
          <DeviceName name={name} onInput={setName} />
          <div class="btn-row">
            <button class="btn btn-main" type="submit" disabled={isBusy || name.trim() === ''}>
              Make this browser a device
            </button>
          </div>
        </form>
        {error !== undefined && <ErrorState error={error} />}
        <p class="small muted">
          Or <a href="/app/pair">pair it with a code or link</a> of another device or of <code>coterie pair</code>.
        </p>
      </div>
    </Section>
  );
}

const gains: readonly { icon: IconName; title: string; text: string }[] = [
  { icon: 'phone', title: 'Push', text: 'Questions and alerts come while this page is closed.' },
  { icon: 'lock', title: 'Encryption', text: 'Questions are sealed for it; the hub stores no text of them.' },
  { icon: 'success', title: 'Known answers', text: 'The asker sees where an answer was given; it can be revoked.' },
];

function Gains() {
  return (
    <>
      <ul class="can">
        {gains.map(({ icon, title, text }) => (
          <li>
            <Icon name={icon} />
            <div>
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ul>
      <State icon="shield" title="It cannot decide permission prompts at first.">
        An agent on this machine could do the same click. Compare the safety number on another device or in the
        terminal, then it can.
      </State>
    </>
  );
}
