// The device is paired: what it can do now, and notifications as the next step.
import { useEffect } from 'preact/hooks';
import type { Paired } from '../../device/pair.js';
import { afterPairing } from '../../data/start.js';
import { hub } from '../../data/hub.js';
import { State } from '../../parts/state.js';
import { Notifications } from '../settings/notifications.js';

export function PairDone({ paired }: { paired: Paired }) {
  useEffect(() => {
    void afterPairing();
  }, []);
  return (
    <div class="focus">
      <State
        tone="good"
        icon="success"
        title={
          <>
            Paired. You are <bdi>{paired.person}</bdi> here.
          </>
        }
      >
        {paired.verified || paired.isByLink
          ? 'New questions open here. Earlier ones that were encrypted to another device of yours open once the app is open there, too.'
          : 'It is not verified yet: compare its safety number in Settings, then it can decide permission prompts.'}
      </State>
      {hub.value?.signedIn !== undefined && <Notifications />}
      <div class="btn-row">
        <a class="btn btn-main" href="/">
          To the inbox
        </a>
      </div>
    </div>
  );
}
