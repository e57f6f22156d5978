// Notifications of this device: whether they come, what they show, and a test.
import { useState } from 'preact/hooks';
import { hideContent, hidesContent } from '../../device/choices.js';
import { readPlatform } from '../../device/platform.js';
import { readPushState, turnPushOff, turnPushOn, type PushState } from '../../device/push-subscription.js';
import { call } from '../../data/api.js';
import { hub } from '../../data/hub.js';
import { Section } from '../../parts/section.js';
import { ErrorState, State } from '../../parts/state.js';
import { ownPushChannel, testChannel, type Channel } from './channel-words.js';
import { Switch } from './switch.js';
import { useReading, useWork } from './use-work.js';

interface Facts {
  push: PushState;
  isHidden: boolean;
}

async function readFacts(): Promise<Facts> {
  return { push: await readPushState(), isHidden: await hidesContent() };
}

export function Notifications() {
  const { value: facts, again } = useReading(readFacts);
  const { isBusy, error, run } = useWork();
  const [said, say] = useState<string>();
  const vapid = hub.value?.hub?.vapid;
  if (facts === undefined || vapid === undefined) return null;
  const isOn = facts.push === 'on';
  const turn = (wanted: boolean) =>
    run(async () => {
      await (wanted ? turnPushOn(vapid) : stopPush());
      await again();
    });
  const test = () =>
    run(async () => {
      say(await testOwnChannel());
    });
  return (
    <Section id="notifications" title="Notifications">
      <div class="stack-m">
        <ul class="rows">
          <li>
            <Switch
              label="Notify this device"
              isOn={isOn}
              isDisabled={isBusy || facts.push === 'unsupported' || facts.push === 'blocked'}
              onChange={(wanted) => void turn(wanted)}
            >
              {isOn
                ? 'Questions and alerts come while the app is closed.'
                : 'Questions come only while this page is open.'}
            </Switch>
          </li>
          <li>
            <Switch
              label="Hide content on the lock screen"
              isOn={facts.isHidden}
              onChange={(wanted) => void run(() => hideContent(wanted).then(again))}
            >
              A notification then says who asks, not what. Kept on this device.
            </Switch>
          </li>
        </ul>
        {facts.push === 'blocked' && <Blocked />}
        {facts.push === 'unsupported' && <Unsupported />}
        {isOn && (
          <div class="btn-row">
            <button class="btn" type="button" disabled={isBusy} onClick={() => void test()}>
              Send a test
            </button>
          </div>
        )}
        {said !== undefined && error === undefined && (
          <p class="effect" role="status">
            {said}
          </p>
        )}
        {error !== undefined && <ErrorState error={error} />}
      </div>
    </Section>
  );
}

function Blocked() {
  return (
    <State tone="warn" icon="warning" title="This browser blocks notifications.">
      Allow them for this address in the browser’s settings (the sign beside the address), then load the page again.
    </State>
  );
}

function Unsupported() {
  return readPlatform().mustInstallFirst ? (
    <State tone="warn" icon="phone" title="Install the app first.">
      On iPhone and iPad only an installed app gets notifications: Share, then Add to Home Screen, then pair inside it.
    </State>
  ) : (
    <State tone="warn" icon="warning" title="This browser has no push.">
      Private windows often have none. Use ntfy below, or another browser.
    </State>
  );
}

async function readOwnChannel(): Promise<Channel | undefined> {
  const { channels } = await call<{ channels: Channel[] }>('list_channels', {});
  return ownPushChannel(channels, hub.value?.signedIn?.deviceId);
}

/** The hub first: a subscription that it does not know is harmless, the other way it would push in vain. */
async function stopPush(): Promise<void> {
  const channel = await readOwnChannel();
  if (channel !== undefined) await call('remove_channel', { channelId: channel.id });
  await turnPushOff();
}

async function testOwnChannel(): Promise<string> {
  const channel = await readOwnChannel();
  if (channel === undefined) return 'The hub has no subscription of this device. Turn notifications off and on again.';
  return testChannel(channel.id);
}
