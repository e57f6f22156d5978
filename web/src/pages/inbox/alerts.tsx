// Alerts, by type.
import { signal } from '@preact/signals';
import { alerts, type Alert } from '../../data/store.js';
import { markAllSeen, unseen } from '../../data/seen.js';
import type { AlertType } from '../../data/types.js';
import { Chip } from '../../parts/chip.js';
import { Icon } from '../../parts/icon.js';
import { InlineMarkdown, Markdown } from '../../parts/markdown.js';
import { Section } from '../../parts/section.js';
import { Time } from '../../parts/words/time.js';
import { nameOf } from '../../parts/words/words.js';
import { spellHidden } from '../../parts/hidden-chars.js';

const words: Record<AlertType, string> = { error: 'Error', warning: 'Warning', success: 'Success', info: 'Info' };
// Typed as the contract's list, whose module would bring its validator along.
const alertTypes: readonly AlertType[] = ['error', 'warning', 'success', 'info'];
const shown = signal<AlertType | 'all'>('all');
const shownMax = signal(5);

export function AlertsSection() {
  const all = alerts.value;
  const chosen = shown.value === 'all' ? all : all.filter(({ alertType }) => alertType === shown.value);
  const types = alertTypes.filter((type) => all.some(({ alertType }) => alertType === type));
  return (
    <Section
      id="h-alert"
      title={
        <>
          Alerts{' '}
          {unseen.value.length > 0 && (
            <b class="count">
              {unseen.value.length}
              <span class="vh"> not seen</span>
            </b>
          )}
        </>
      }
      end={
        unseen.value.length > 0 && (
          <button class="textlink end" type="button" onClick={markAllSeen}>
            Mark all seen
          </button>
        )
      }
    >
      {all.length === 0 && <p class="effect">No alerts.</p>}
      {types.length > 1 && (
        <div class="chips" role="group" aria-label="Show alerts of one type">
          <Chip isOn={shown.value === 'all'} onClick={() => (shown.value = 'all')}>
            All {all.length}
          </Chip>
          {types.map((type) => (
            <Chip key={type} isOn={shown.value === type} onClick={() => (shown.value = type)}>
              <Kind type={type} />
              {words[type]} {all.filter(({ alertType }) => alertType === type).length}
            </Chip>
          ))}
        </div>
      )}
      {chosen.length > 0 && (
        <ul class="rows rows-gap">
          {chosen.slice(0, shownMax.value).map((alert) => (
            <Row key={alert.id} alert={alert} />
          ))}
        </ul>
      )}
      {chosen.length > shownMax.value && (
        <button class="textlink" type="button" onClick={() => (shownMax.value += 20)}>
          Show more
        </button>
      )}
    </Section>
  );
}

function Kind({ type }: { type: AlertType }) {
  return (
    <span class={`kind kind-${type}`}>
      <Icon name={type} size="s" />
    </span>
  );
}

function Row({ alert }: { alert: Alert }) {
  const { content } = alert.opened;
  return (
    <li>
      <div class="row" data-item tabIndex={-1}>
        <Kind type={alert.alertType} />
        <div class="row-main">
          <p dir="auto">
            {unseen.value.includes(alert) && <span class="unread-dot" />}
            {content === undefined ? 'Encrypted: this browser cannot open it.' : <InlineMarkdown text={content.text} />}
          </p>
          {content?.context !== undefined && content.context !== null && content.context !== '' && (
            <details class="fold">
              <summary>
                <Icon name="twist" size="tw" />
                More
              </summary>
              <Markdown text={content.context} />
            </details>
          )}
          <p class="row-sub">
            {words[alert.alertType]} from <bdi>{nameOf(alert)}</bdi>
            {alert.projectId !== undefined && (
              <>
                {' '}
                in <bdi>{spellHidden(alert.projectId)}</bdi>
              </>
            )}
          </p>
        </div>
        <Time at={alert.sentAt} />
      </div>
    </li>
  );
}
