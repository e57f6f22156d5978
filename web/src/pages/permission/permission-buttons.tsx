// Allow, Deny, Allow for this session: equal in weight, in the order that the asker gave.
import type { Buttons } from './decide-buttons.js';

export interface PermissionButtonsProps {
  options: readonly string[];
  asker: string;
  buttons: Buttons;
  /** From 1: the one on its way. */
  chosen: number | null | undefined;
  onChoose: (option: number) => void;
}

export function isAllowing(option: string): boolean {
  return option !== 'Deny';
}

export function PermissionButtons({ options, asker, buttons, chosen, onChoose }: PermissionButtonsProps) {
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
            {index > 1 && (
              <small>
                Also later calls like this one, until <bdi>{asker}</bdi>’s program ends
              </small>
            )}
          </span>
        </button>
      ))}
    </div>
  );
}
