// Quiet hours: pushes wait until they end, except urgent ones.
import { useState } from 'preact/hooks';
import type { PersonPrefs, QuietHours as Hours } from '../../../../src/contract/signal/channel.js';
import { call } from '../../data/api.js';
import { Section } from '../../parts/section.js';
import { ErrorState } from '../../parts/state.js';
import { Switch } from './switch.js';
import { useReading, useWork } from './use-work.js';

const usual = { from: '22:00', to: '07:00' };

async function readPrefs(): Promise<PersonPrefs> {
  return (await call<{ prefs: PersonPrefs }>('get_person_prefs', {})).prefs;
}

export function QuietHours() {
  const { value: prefs, error: readError, again } = useReading(readPrefs);
  const { isBusy, error, run } = useWork();
  if (prefs === undefined) return readError === undefined ? null : <Failed error={readError} />;
  const hours = prefs.quietHours;
  const set = (quietHours: Hours | null) =>
    run(async () => {
      await call('set_person_prefs', { quietHours });
      await again();
    });
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Section id="quiet" title="Quiet hours">
      <div class="stack-m">
        <div class="rows">
          <Switch
            label="Quiet hours"
            isOn={hours !== null}
            isDisabled={isBusy}
            onChange={(isOn) => void set(isOn ? { ...usual, timeZone: here } : null)}
          >
            {hours === null
              ? 'Pushes come at any time.'
              : `No pushes from ${hours.from} to ${hours.to} (${hours.timeZone}), on any device. What is of high priority still comes.`}
          </Switch>
        </div>
        {hours !== null && (
          <Times key={`${hours.from} ${hours.to}`} hours={hours} isBusy={isBusy} onSet={(next) => void set(next)} />
        )}
        {error !== undefined && <ErrorState error={error} />}
      </div>
    </Section>
  );
}

interface TimesProps {
  hours: Hours;
  isBusy: boolean;
  onSet: (hours: Hours) => void;
}

function Times({ hours, isBusy, onSet }: TimesProps) {
  const [from, setFrom] = useState(hours.from);
  const [to, setTo] = useState(hours.to);
  const isChanged = from !== hours.from || to !== hours.to;
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        onSet({ from, to, timeZone: here });
      }}
    >
      <label class="small">
        From
        <input
          class="field"
          type="time"
          required
          value={from}
          onInput={(event) => setFrom(event.currentTarget.value)}
        />
      </label>
      <label class="small">
        To
        <input class="field" type="time" required value={to} onInput={(event) => setTo(event.currentTarget.value)} />
      </label>
      <button class="btn" type="submit" disabled={isBusy || !isChanged || from === to}>
        Save
      </button>
    </form>
  );
}

function Failed({ error }: { error: Error }) {
  return (
    <Section id="quiet" title="Quiet hours">
      <ErrorState error={error} />
    </Section>
  );
}
