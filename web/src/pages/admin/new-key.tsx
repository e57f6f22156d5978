// Makes a key, or a link for someone who only looks.
import { useState } from 'preact/hooks';
import { call } from '../../data/api.js';
import { ErrorState } from '../../parts/state.js';
import { useWork } from '../settings/use-work.js';
import { Checks, namesOf } from './checks.js';
import { Choice } from './choice.js';
import { DayField, Field } from './field.js';
import { Secret } from './secret.js';

const kinds = {
  agent: 'An agent',
  admin: 'An administrator',
  observer: 'An observer, for a program',
  link: 'An observer, as a link for a browser',
} as const;

type Kind = keyof typeof kinds;

const capabilities = {
  send: 'send messages',
  read: 'read its mail and threads',
  signal: 'ask people and alert them',
} as const;

type Capability = keyof typeof capabilities;

const allCapabilities = namesOf(capabilities);

const daySeconds = 86_400;
const linkTimes = { 3600: '1 hour', [daySeconds]: '1 day', [7 * daySeconds]: '7 days', [30 * daySeconds]: '30 days' };

export function NewKey({ onMade }: { onMade: () => Promise<void> }) {
  const [kind, setKind] = useState<Kind>('agent');
  const [agentId, setAgentId] = useState('');
  const [label, setLabel] = useState('');
  const [day, setDay] = useState('');
  const [time, setTime] = useState(String(daySeconds));
  const [held, setHeld] = useState<readonly Capability[]>(allCapabilities);
  const [made, setMade] = useState<{ what: 'key' | 'link'; text: string }>();
  const { isBusy, error, run } = useWork();
  const hasName = kind === 'agent' || kind === 'admin';
  const create = () =>
    run(async () => {
      setMade(undefined);
      const labelled = label.trim() === '' ? {} : { label: label.trim() };
      if (kind === 'link') {
        const { fragment, url } = await call<{ fragment: string; url: string | null }>('create_observer_link', {
          ...labelled,
          ttl: Number(time),
        });
        setMade({ what: 'link', text: `${url ?? location.origin}/app/observe#${fragment}` });
      } else {
        const { secret } = await call<{ secret: string }>('create_key', {
          ...labelled,
          ...whose(),
          ...(day === '' ? {} : { expiresAt: day }),
        });
        setMade({ what: 'key', text: secret });
      }
      await onMade();
    });
  function whose(): object {
    if (kind === 'observer') return { observer: true };
    return { agentId: agentId.trim(), ...(kind === 'admin' ? { admin: true } : { capabilities: held }) };
  }
  const isWhole = (!hasName || agentId.trim() !== '') && (kind !== 'agent' || held.length > 0);
  return (
    <form
      class="fields-stack"
      aria-label="Make a key"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <Choice label="For" value={kind} options={kinds} onChange={setKind} />
      {hasName && <Field label="Its id" value={agentId} onChange={setAgentId} />}
      {kind === 'agent' && <Checks legend="May" held={held} options={capabilities} onChange={setHeld} />}
      <Field label="Label, may be empty" value={label} onChange={setLabel} />
      {kind === 'link' ? (
        <Choice label="May look for" value={time} options={linkTimes} onChange={setTime} />
      ) : (
        <DayField label="Works through this day; for good if empty" value={day} onChange={setDay} />
      )}
      <div class="btn-row">
        <button class="btn" type="submit" disabled={isBusy || !isWhole}>
          {kind === 'link' ? 'Make a link' : 'Make a key'}
        </button>
      </div>
      {error !== undefined && <ErrorState error={error} />}
      {made !== undefined && <Secret {...made} />}
    </form>
  );
}
