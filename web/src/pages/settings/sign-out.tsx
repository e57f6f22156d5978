// Signed in with a key or an observer's link: until when, and how to end it.
import { hub } from '../../data/hub.js';
import { signOut } from '../../data/sign-in.js';
import { Section } from '../../parts/section.js';
import { ErrorState } from '../../parts/state.js';
import { useWork } from './use-work.js';

export function SignOut() {
  const { isBusy, error, run } = useWork();
  const { keyId, expiresAt, personName } = hub.value?.signedIn ?? {};
  return (
    <Section id="sign-in" title="This browser">
      <div class="stack-m">
        <p class="muted">
          Signed in as{' '}
          <b>
            <bdi>{personName ?? 'an observer'}</bdi>
          </b>
          , with the key <code>{keyId}</code>
          {typeof expiresAt === 'string' && (
            <>
              {' '}
              until <time dateTime={expiresAt}>{new Date(expiresAt).toLocaleString()}</time>
            </>
          )}
          .
        </p>
        <div class="btn-row">
          <button class="btn" type="button" disabled={isBusy} onClick={() => void run(signOut)}>
            Sign out
          </button>
        </div>
        {error !== undefined && <ErrorState error={error} />}
      </div>
    </Section>
  );
}
