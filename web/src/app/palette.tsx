// The command palette: go to any page, thread, agent or question, or search for what was typed.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { waiting } from '../data/store.js';
import { everyone } from '../data/team.js';
import { useFoundThreads } from '../data/threads/use-found-threads.js';
import { spellHidden } from '../parts/hidden-chars.js';
import { Icon } from '../parts/icon.js';
import { titleOf } from '../parts/words/words.js';
import { choicesFor, type Choice } from './palette-choices.js';
import { isPaletteOpen } from './palette-opener.js';
import { go } from './router.js';

export function CommandPalette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const isOpen = isPaletteOpen.value;
  // Before the next key is pressed.
  useLayoutEffect(() => {
    if (!isOpen) return dialog.current?.close();
    setText('');
    setAt(0);
    dialog.current?.showModal();
  }, [isOpen]);
  const threads = useFoundThreads(isOpen ? text : undefined);
  const choices = isOpen
    ? choicesFor(text, {
        threads: threads.map(({ threadId, title }) => ({ id: threadId, title })),
        agents: everyone.value.map(({ id, name }) => ({ id, title: name })),
        questions: waiting.value.map((question) => ({ id: question.id, title: titleOf(question) })),
      })
    : [];
  const keys: Record<string, () => void> = {
    ArrowDown: () => setAt(Math.min(at + 1, choices.length - 1)),
    ArrowUp: () => setAt(Math.max(at - 1, 0)),
    Enter: () => choose(choices[at]),
  };
  return (
    <dialog class="dialog palette" ref={dialog} aria-label="Go to" onClose={() => (isPaletteOpen.value = false)}>
      <input
        class="field"
        type="text"
        role="combobox"
        aria-label="Page, thread, agent or words"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={choices.length === 0 ? undefined : `choice-${at}`}
        placeholder="Page, thread, agent or words"
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const act = keys[event.key];
          if (act === undefined || event.isComposing) return;
          event.preventDefault();
          act();
        }}
      />
      <ul id="palette-list" role="listbox" aria-label="Places">
        {choices.map((choice, index) => (
          <li
            id={`choice-${index}`}
            role="option"
            aria-selected={index === at}
            class={index === at ? 'chosen' : ''}
            onClick={() => choose(choice)}
          >
            <Icon name={choice.icon} />
            <span>
              <bdi>{spellHidden(choice.title)}</bdi>
            </span>
            <span class="row-sub">{choice.kind}</span>
          </li>
        ))}
      </ul>
    </dialog>
  );
}

function choose(choice: Choice | undefined): void {
  if (choice === undefined) return;
  isPaletteOpen.value = false;
  go(choice.href);
}
