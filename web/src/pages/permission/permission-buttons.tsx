// Allow, Deny, Allow for this session: equal in weight, in the order that the asker gave.
import { spellHidden } from '../../parts/hidden-chars.js';
import type { Buttons } from './decide-buttons.js';

export interface PermissionButtonsProps {
  options: readonly string[];
  /** What the third would allow, in the asker's words. */
  scope: string;
  buttons: Buttons;
  /** From 1: the one on its way. */
  chosen: number | null | undefined;
  onChoose: (option: number) => void;
}

export function isAllowing(option: string): boolean {
  return option !== 'Deny';
}

export function PermissionButtons({ options, scope, buttons, chosen, onChoose }: PermissionButtonsProps) {
  const isSending = chosen !== undefined;
  return (
    <div class="opts opts-big opts-two">
      {options.map((text, index) => (
        <button
          class={index > 1 ? 'opt all' : 'opt'}
          type="button"
          data-option={index + 1}
          disabled={isSending || !(isAllowing(text) ? buttons.mayAllow : buttons.mayDeny)}
          {...(isSending ? { 'aria-pressed': chosen === index + 1 } : {})}
          onClick={() => onChoose(index + 1)}
        >
          <span class="n" aria-hidden="true">
            {index + 1}
          </span>
          <span>
            {text}
            {index > 1 && <small dir="auto">{spellHidden(scope)}</small>}
          </span>
        </button>
      ))}
    </div>
  );
}
