// Keys of this session: made, shown once, rotated, revoked.
import { useState } from 'preact/hooks';
import type { KeyView } from '../../../../src/contract/key.js';
import { call } from '../../data/api.js';
import { hub } from '../../data/hub.js';
import { spellHidden } from '../../parts/hidden-chars.js';
import { Section } from '../../parts/section.js';
import { ErrorState } from '../../parts/state.js';
import { Time } from '../../parts/words/time.js';
import { useWork } from '../settings/use-work.js';
import { Choice } from './choice.js';
import { Confirm } from './confirm.js';
import { Listed } from './listed.js';
import { NewKey } from './new-key.js';
import { Secret } from './secret.js';
import { usePages } from './use-pages.js';

export function Keys() {
  const pages = usePages<KeyView>('list_keys', 'keys');
  return (
    <Section id="h-keys-made" title="Keys">
      <div class="stack-m">
        <Listed pages={pages} none="No keys." keyOf={({ id }) => id}>
          {(key) => <KeyRow value={key} onChange={pages.again} />}
        </Listed>
        {hub.value?.mode === 'keys' ? (
          <NewKey onMade={pages.again} />
        ) : (
          <p class="effect">
            This hub has no keys: every program on its machine may call as anyone. The first key ends that, and is made
            there: <code>coterie keys create --agent NAME --admin</code>
          </p>
        )}
      </div>
    </Section>
  );
}

interface RowProps {
  value: KeyView;
  onChange: () => Promise<void>;
}

function KeyRow({ value, onChange }: RowProps) {
  const { id, agentId, capabilities, label, state, expiresAt, lastUsedAt, createdAt } = value;
  const { isBusy, error, run } = useWork();
  const [isRotating, setRotating] = useState(false);
  const isOwn = id === hub.value?.signedIn?.keyId;
  const revoke = () =>
    run(async () => {
      await call('revoke_key', { keyId: id });
      await onChange();
    });
  return (
    <div class="row row-2">
      <div class="row-main">
        <p>
          <b>{agentId === null ? 'An observer' : <bdi>{spellHidden(agentId)}</bdi>}</b> <span class="mono">{id}</span>
          {isOwn && <span class="row-sub"> this page</span>}
        </p>
        <p class="row-sub">
          {capabilities.join(', ')}
          {label !== '' && <bdi> · {spellHidden(label)}</bdi>}
        </p>
        <p class="row-sub">
          {state}
          {expiresAt !== null && (
            <>
              {' '}
              · until <Time at={expiresAt} />
            </>
          )}{' '}
          · {lastUsedAt === null ? 'never used' : 'used '}
          {lastUsedAt !== null && <Time at={lastUsedAt} />}
        </p>
        {state === 'active' && (
          <div class="btn-row">
            {/* Its sign-ins end with it: the page would be signed out before it could show the new one. */}
            {!isOwn && agentId !== null && (
              <button
                class="btn btn-quiet"
                type="button"
                aria-expanded={isRotating}
                onClick={() => setRotating(!isRotating)}
              >
                Rotate<span class="vh"> key {id}</span>
              </button>
            )}
            <Confirm
              act="Revoke"
              target={`key ${id}`}
              {...(isOwn ? { warning: 'You are signed in with it, and will be signed out.' } : {})}
              isBusy={isBusy}
              onConfirm={() => void revoke()}
            />
          </div>
        )}
        {isRotating && <Rotate value={value} onChange={onChange} />}
        {error !== undefined && <ErrorState error={error} />}
      </div>
      <Time at={createdAt} />
    </div>
  );
}

const overlaps = { 0: 'ends at once', 3600: 'works for 1 hour', 86400: 'works for 1 day', 604800: 'works for 7 days' };

function Rotate({ value: { id }, onChange }: RowProps) {
  const [overlap, setOverlap] = useState('3600');
  const [secret, setSecret] = useState<string>();
  const { isBusy, error, run } = useWork();
  const rotate = () =>
    run(async () => {
      const made = await call<{ secret: string }>('rotate_key', { keyId: id, overlap: Number(overlap) });
      setSecret(made.secret);
      await onChange();
    });
  if (secret !== undefined) return <Secret what="key" text={secret} />;
  return (
    <form
      class="fields-stack rows-gap"
      aria-label={`Rotate key ${id}`}
      onSubmit={(event) => {
        event.preventDefault();
        void rotate();
      }}
    >
      <Choice label="The old key" value={overlap} options={overlaps} onChange={setOverlap} />
      <div class="btn-row">
        <button class="btn" type="submit" disabled={isBusy}>
          Make the new key
        </button>
      </div>
      {error !== undefined && <ErrorState error={error} />}
    </form>
  );
}
