// Who did which administrative act, newest first.
import { useState } from 'preact/hooks';
import type { AuditView } from '../../../../src/contract/operations/list-audit.js';
import { spellHidden } from '../../parts/hidden-chars.js';
import { Section } from '../../parts/section.js';
import { Time } from '../../parts/words/time.js';
import { DayField, Field } from './field.js';
import { Listed } from './listed.js';
import { usePages } from './use-pages.js';

export function Audit() {
  const [typed, setTyped] = useState({ actor: '', act: '', since: '', until: '' });
  const [filter, setFilter] = useState<Record<string, string>>({});
  const pages = usePages<AuditView>('list_audit', 'entries', filter);
  const apply = () => {
    setFilter(
      Object.fromEntries(
        Object.entries(typed).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]])),
      ),
    );
    // The same filter again means: read again.
    void pages.again();
  };
  return (
    <Section id="h-audit" title="Audit log">
      <div class="stack-m">
        <form
          class="fields-stack"
          aria-label="Filter the audit log"
          onSubmit={(event) => {
            event.preventDefault();
            apply();
          }}
        >
          <Field label="By" value={typed.actor} onChange={(actor) => setTyped({ ...typed, actor })} />
          <Field label="Operation or command" value={typed.act} onChange={(act) => setTyped({ ...typed, act })} />
          <div class="days">
            <DayField label="From" value={typed.since} onChange={(since) => setTyped({ ...typed, since })} />
            <DayField label="To" value={typed.until} onChange={(until) => setTyped({ ...typed, until })} />
          </div>
          <div class="btn-row">
            <button class="btn" type="submit">
              Show
            </button>
          </div>
        </form>
        <Listed pages={pages} none="No entries." keyOf={({ id }) => id}>
          {(entry) => <EntryRow entry={entry} />}
        </Listed>
      </div>
    </Section>
  );
}

function EntryRow({ entry: { at, actor, act, target, keyId, address, details } }: { entry: AuditView }) {
  const where = [
    ...(keyId === undefined ? [] : [`key ${keyId}`]),
    ...(address === undefined ? [] : [`from ${address}`]),
  ];
  return (
    <div class="row row-2">
      <div class="row-main">
        <p>
          <b>
            <bdi>{actor === '' ? 'No name' : spellHidden(actor)}</bdi>
          </b>{' '}
          <span class="mono">{spellHidden(act)}</span> {target !== undefined && <bdi>{spellHidden(target)}</bdi>}
        </p>
        {where.length > 0 && <p class="row-sub">{spellHidden(where.join(', '))}</p>}
        {details !== undefined && (
          <p class="row-sub mono clamp" dir="auto">
            {spellHidden(JSON.stringify(details))}
          </p>
        )}
      </div>
      <Time at={at} />
    </div>
  );
}
