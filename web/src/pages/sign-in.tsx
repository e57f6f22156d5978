// Signs in with a key that is pasted once: of a person, an administrator or an observer.
import { useState } from 'preact/hooks';
import { hub, isSecurePage } from '../data/hub.js';
import { signInByKey } from '../data/sign-in.js';
import { Bones } from '../parts/bones.js';
import { ErrorState, State } from '../parts/state.js';
import { HttpsHelp } from './settings/https-help.js';
import { useWork } from './settings/use-work.js';
import { SignedInAlready } from './sign-in/signed-in-already.js';

const keyCharsMax = 200;
const hasEnded = location.search === '?ended';

export function SignInPage() {
  const [key, setKey] = useState('');
  const [isOther, setOther] = useState(false);
  const { isBusy, error, run } = useWork();
  const known = hub.value;
  if (!isSecurePage) return <HttpsHelp />;
  if (known === undefined) return <Bones label="Asking the hub" />;
  if (known.mode === 'open') return <NoKeys />;
  if (known.signedIn !== undefined && !isOther && !isBusy) {
    return <SignedInAlready action="Use another key" onGoOn={() => setOther(true)} />;
  }
  const signIn = () =>
    run(async () => {
      const pasted = key.trim();
      // Out of the page before the hub answers.
      setKey('');
      await signInByKey(pasted);
    });
  return (
    <div class="focus">
      {hasEnded && error === undefined && (
        <State tone="warn" icon="warning" title="Your sign-in has ended.">
          Its key was revoked or has expired.
        </State>
      )}
      <div>
        <h2 class="lead">Sign in with a key</h2>
        <p class="muted lead-sub">
          A person’s, an administrator’s or an observer’s key for the hub <bdi>{known.name}</bdi>. It is exchanged at
          once for a sign-in of this browser, and is not kept here.
        </p>
      </div>
      <form
        class="fields-stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (key.trim() !== '') void signIn();
        }}
      >
        <label class="small">
          Key
          <input
            class="field mono"
            type="password"
            required
            maxLength={keyCharsMax}
            autocomplete="off"
            spellcheck={false}
            dir="ltr"
            placeholder="coterie_…"
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        </label>
        <div class="btn-row">
          <button class="btn btn-main" type="submit" disabled={isBusy || key.trim() === ''}>
            {isBusy ? 'Signing in…' : 'Sign in'}
          </button>
        </div>
      </form>
      {error !== undefined && <ErrorState error={error} />}
      <p class="small muted">
        It lasts seven days at most, and ends with the key. A person’s phone or browser is better{' '}
        <a href="/app/pair">paired</a>: it needs no key, opens what is sealed for it, and gets pushes.
      </p>
    </div>
  );
}

export function NoKeys() {
  const home = (
    <a class="btn btn-main" href="/">
      Go on
    </a>
  );
  return (
    <State icon="shield" title="This hub has no keys." actions={home}>
      On its own machine nobody signs in.
    </State>
  );
}
