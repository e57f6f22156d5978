// The texts of notices in this session: changed, or set back.
import { useState } from 'preact/hooks';
import type { TemplateView } from '../../../../src/contract/notify.js';
import { call } from '../../data/api.js';
import { spellHidden } from '../../parts/hidden-chars.js';
import { Section } from '../../parts/section.js';
import { ErrorState } from '../../parts/state.js';
import { useReading, useWork } from '../settings/use-work.js';
import { Field } from './field.js';

async function readTemplates(): Promise<TemplateView[]> {
  return (await call<{ templates: TemplateView[] }>('get_notify_templates', {})).templates;
}

export function Templates() {
  const { value: templates, error, again } = useReading(readTemplates);
  return (
    <Section id="h-templates" title="Texts of notices">
      {error !== undefined && <ErrorState error={error} />}
      {templates !== undefined && (
        <ul class="rows">
          {templates.map((template) => (
            <li key={`${template.name} ${template.text}`}>
              <TemplateRow template={template} onChange={again} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function TemplateRow({ template, onChange }: { template: TemplateView; onChange: () => Promise<void> }) {
  const { name, text: now, isDefault, preview } = template;
  const [text, setText] = useState(now);
  const { isBusy, error, run } = useWork();
  const set = (input: object) =>
    run(async () => {
      await call('set_notify_template', { name, ...input });
      await onChange();
    });
  return (
    <details class="row-main">
      <summary>
        <b class="mono">{name}</b>
        {!isDefault && ' changed'}{' '}
        <span class="row-sub" dir="auto">
          {spellHidden(preview)}
        </span>
      </summary>
      <form
        class="fields-stack rows-gap"
        onSubmit={(event) => {
          event.preventDefault();
          void set({ text });
        }}
      >
        <Field
          label={`Text of ${name}; may use {title} {threadId} {by} {agent} {summary}`}
          value={text}
          onChange={setText}
        />
        <div class="btn-row">
          <button class="btn" type="submit" disabled={isBusy || text === now}>
            Change the text
          </button>
          {!isDefault && (
            <button class="btn btn-quiet" type="button" disabled={isBusy} onClick={() => void set({})}>
              Back to the default
            </button>
          )}
        </div>
        {error !== undefined && <ErrorState error={error} />}
      </form>
    </details>
  );
}
