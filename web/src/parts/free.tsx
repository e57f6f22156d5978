// A text field with a button: an answer in one's own words, a reply. What is typed is kept while the page is open.
import { signal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';

export interface FreeProps {
  /** Whose text it is: the draft is kept under it. */
  draftId: string;
  label: string;
  button: string;
  isLong?: boolean;
  isDisabled?: boolean;
  /** May be sent empty. */
  isOptional?: boolean;
  /** Has the focus when it appears. */
  hasFocus?: boolean;
  extraClass?: string;
  onSend: (text: string) => void;
}

const drafts = signal<Readonly<Record<string, string>>>({});

export function clearDraft(id: string): void {
  const { [id]: _, ...others } = drafts.value;
  drafts.value = others;
}

export function Free({ draftId, label, button, isLong = false, isDisabled = false, ...more }: FreeProps) {
  const { isOptional = false, hasFocus = false, extraClass, onSend } = more;
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (hasFocus) form.current?.querySelector<HTMLElement>('.field')?.focus();
  }, [hasFocus]);
  const text = drafts.value[draftId] ?? '';
  const send = () => {
    if ((isOptional || text.trim() !== '') && !isDisabled) onSend(text.trim());
  };
  const field = {
    class: 'field',
    id,
    placeholder: label,
    dir: 'auto' as const,
    autocomplete: 'off',
    value: text,
    disabled: isDisabled,
    onInput: (event: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
      drafts.value = { ...drafts.value, [draftId]: event.currentTarget.value };
    },
  };
  return (
    <form
      ref={form}
      class={`free${extraClass === undefined ? '' : ` ${extraClass}`}`}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label class="vh" for={id}>
        {label}
      </label>
      {isLong ? (
        <textarea
          {...field}
          rows={2}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) send();
          }}
        />
      ) : (
        <input {...field} />
      )}
      <button class="btn" type="submit" disabled={isDisabled}>
        {button}
      </button>
    </form>
  );
}
