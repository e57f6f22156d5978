// The answers a question offers. All have the same weight: the page must not push one.
import { spellHidden } from './hidden-chars.js';

export interface OptionsProps {
  options: readonly string[];
  isBig?: boolean;
  isDisabled?: boolean;
  /** From 1: the one on its way. */
  chosen?: number | null | undefined;
  onChoose: (option: number) => void;
}

export function Options({ options, isBig = false, isDisabled = false, chosen, onChoose }: OptionsProps) {
  if (options.length === 0) return null;
  return (
    <div class={`opts ${isBig ? 'opts-big' : 'opts-flow'}`}>
      {options.map((text, index) => (
        <button
          class="opt"
          type="button"
          disabled={isDisabled}
          data-option={index + 1}
          {...(chosen === undefined ? {} : { 'aria-pressed': chosen === index + 1 })}
          onClick={() => onChoose(index + 1)}
        >
          <span class="n" aria-hidden="true">
            {index + 1}
          </span>
          <span dir="auto">{spellHidden(text)}</span>
        </button>
      ))}
    </div>
  );
}
