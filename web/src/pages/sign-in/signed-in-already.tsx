// A browser has one sign-in at a hub: another one takes its place.
import { hub } from '../../data/hub.js';
import { State } from '../../parts/state.js';

export function SignedInAlready({ action, onGoOn }: { action: string; onGoOn: () => void }) {
  const signedIn = hub.value?.signedIn;
  const actions = (
    <>
      <a class="btn btn-main" href="/">
        Stay
      </a>
      <button class="btn" type="button" onClick={onGoOn}>
        {action}
      </button>
    </>
  );
  return (
    <State
      icon="shield"
      title={
        <>
          You are signed in as <bdi>{signedIn?.personName ?? 'an observer'}</bdi>.
        </>
      }
      actions={actions}
    >
      {signedIn?.deviceId === undefined
        ? 'Another sign-in takes the place of this one.'
        : 'Another sign-in takes the place of this one until you sign out; the device stays paired.'}
    </State>
  );
}
