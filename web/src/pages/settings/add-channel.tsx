// Adds an ntfy topic or a webhook.
import { useState } from 'preact/hooks';
import { call } from '../../data/api.js';
import { Chip } from '../../parts/chip.js';
import { ErrorState } from '../../parts/state.js';
import { useWork } from './use-work.js';

type Kind = 'ntfy' | 'webhook';

export function AddChannel({ onAdded }: { onAdded: () => Promise<void> }) {
  const [kind, setKind] = useState<Kind>();
  const toggle = (wanted: Kind) => setKind(kind === wanted ? undefined : wanted);
  const added = async () => {
    setKind(undefined);
    await onAdded();
  };
  return (
    <div class="stack-m">
      <div class="chips" role="group" aria-label="Add a channel">
        <Chip isOn={kind === 'ntfy'} onClick={() => toggle('ntfy')}>
          Add ntfy
        </Chip>
        <Chip isOn={kind === 'webhook'} onClick={() => toggle('webhook')}>
          Add a webhook
        </Chip>
      </div>
      {kind === 'ntfy' && <AddNtfy key="ntfy" onAdded={added} />}
      {kind === 'webhook' && <AddWebhook key="webhook" onAdded={added} />}
    </div>
  );
}

interface FormProps {
  onAdded: () => Promise<void>;
}

function AddNtfy({ onAdded }: FormProps) {
  const { isBusy, error, run } = useWork();
  // Whoever knows the name of a public topic can read it.
  const [topic, setTopic] = useState(() => `coterie-${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`);
  const [server, setServer] = useState('https://ntfy.sh');
  const [token, setToken] = useState('');
  const add = () =>
    run(async () => {
      const target = { server: server.trim(), topic: topic.trim(), ...(token === '' ? {} : { token }) };
      await call('set_channel', { kind: 'ntfy', ...target });
      await onAdded();
    });
  return (
    <form
      class="fields-stack"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <label class="small">
        Topic, to which the ntfy app subscribes
        <input
          class="field"
          required
          pattern="[A-Za-z0-9_\-]{1,64}"
          maxLength={64}
          dir="ltr"
          autocomplete="off"
          value={topic}
          onInput={(event) => setTopic(event.currentTarget.value)}
        />
      </label>
      <label class="small">
        Server
        <input
          class="field"
          type="url"
          required
          dir="ltr"
          autocomplete="off"
          value={server}
          onInput={(event) => setServer(event.currentTarget.value)}
        />
      </label>
      <label class="small">
        Access token, if the topic needs one
        <input
          class="field"
          type="password"
          autocomplete="off"
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
      </label>
      <p class="small muted">
        Whoever knows the name of a public topic can read it: this one cannot be guessed. Encrypted questions arrive
        without their text.
      </p>
      <Submit isBusy={isBusy} />
      {error !== undefined && <ErrorState error={error} />}
    </form>
  );
}

function AddWebhook({ onAdded }: FormProps) {
  const { isBusy, error, run } = useWork();
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState<string>();
  const add = () =>
    run(async () => {
      const made = await call<{ secret?: string }>('set_channel', { kind: 'webhook', url: url.trim() });
      if (made.secret === undefined) await onAdded();
      else setSecret(made.secret);
    });
  if (secret !== undefined) return <Secret secret={secret} onDone={onAdded} />;
  return (
    <form
      class="fields-stack"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <label class="small">
        Address
        <input
          class="field"
          type="url"
          required
          dir="ltr"
          placeholder="https://"
          autocomplete="off"
          value={url}
          onInput={(event) => setUrl(event.currentTarget.value)}
        />
      </label>
      <p class="small muted">Each call is signed with a secret that is shown once, after this.</p>
      <Submit isBusy={isBusy} />
      {error !== undefined && <ErrorState error={error} />}
    </form>
  );
}

function Submit({ isBusy }: { isBusy: boolean }) {
  return (
    <div class="btn-row">
      <button class="btn" type="submit" disabled={isBusy}>
        Add
      </button>
    </div>
  );
}

function Secret({ secret, onDone }: { secret: string; onDone: () => Promise<void> }) {
  return (
    <div class="stack-m">
      <p>The secret of its signatures. It is shown now and never again:</p>
      <div class="copy">
        <code>{secret}</code>
        <button class="btn" type="button" onClick={() => void navigator.clipboard?.writeText(secret)}>
          Copy
        </button>
      </div>
      <div class="btn-row">
        <button class="btn" type="button" onClick={() => void onDone()}>
          I have it
        </button>
      </div>
    </div>
  );
}
