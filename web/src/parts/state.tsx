// What became of something, or what is wrong, in a box.
import type { ComponentChildren } from 'preact';
import { Refused } from '../data/api.js';
import { Icon, type IconName } from './icon.js';

export interface StateProps {
  tone?: 'plain' | 'good' | 'bad' | 'warn' | 'wait';
  icon: IconName;
  title: ComponentChildren;
  children?: ComponentChildren;
  /** Buttons and links. */
  actions?: ComponentChildren;
}

export function State({ tone = 'plain', icon, title, children, actions }: StateProps) {
  return (
    <div class={`state${tone === 'plain' ? '' : ` state-${tone}`}`} role="status">
      <Icon name={icon} />
      <p>
        <b>{title}</b>
      </p>
      {children !== undefined && <p>{children}</p>}
      {actions !== undefined && <div class="btn-row">{actions}</div>}
    </div>
  );
}

/** A refusal with its code: what the hub said, and its hint. */
export function ErrorState({ error, actions }: { error: Error; actions?: ComponentChildren }) {
  return (
    <State tone="bad" icon="error" title={error.message} actions={actions}>
      {error instanceof Refused ? `${error.hint} ${error.code}` : 'Nothing is lost. It is tried again.'}
    </State>
  );
}
