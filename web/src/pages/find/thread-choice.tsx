// The thread that is searched, chosen from all by its title.
import { useId, useState } from 'preact/hooks';
import { inQuery, setQuery } from '../../app/router.js';
import { openThreads, type ListedThread } from '../../data/threads/threads.js';
import { useFoundThreads } from '../../data/threads/use-found-threads.js';
import { spelled, spellHidden } from '../../parts/hidden-chars.js';

const shownMax = 12;

export function ThreadChoice() {
  const chosenId = inQuery('thread');
  const listId = useId();
  const [chosen, setChosen] = useState<ListedThread>();
  // Undefined: the field shows what is chosen.
  const [typed, setTyped] = useState<string>();
  const [at, setAt] = useState(0);
  const found = useFoundThreads(typed).slice(0, shownMax);
  const choose = (thread: ListedThread | undefined) => {
    setChosen(thread);
    setTyped(undefined);
    setQuery({ thread: thread?.threadId });
  };
  const keys: Record<string, () => void> = {
    ArrowDown: () => setAt(Math.min(at + 1, found.length - 1)),
    ArrowUp: () => setAt(Math.max(at - 1, 0)),
    Enter: () => choose(typed?.trim() === '' ? undefined : (found[at] ?? chosen)),
    Escape: () => setTyped(undefined),
  };
  const isOpen = typed !== undefined && found.length > 0;
  return (
    <div class="choice">
      <input
        class="field"
        type="text"
        role="combobox"
        aria-label="Thread"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isOpen ? `${listId}-${at}` : undefined}
        autocomplete="off"
        placeholder="Any thread"
        dir="auto"
        value={typed ?? titleOf(chosenId, chosen)}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setAt(0);
          if (currentTarget.value === '') setQuery({ thread: undefined });
        }}
        onBlur={() => setTyped(undefined)}
        onKeyDown={(event) => {
          const act = typed === undefined || event.isComposing ? undefined : keys[event.key];
          if (act === undefined) return;
          event.preventDefault();
          event.stopPropagation();
          act();
        }}
      />
      <ul id={listId} role="listbox" aria-label="Threads" hidden={!isOpen}>
        {found.map((thread, index) => (
          <li
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === at}
            class={index === at ? 'chosen' : ''}
            // Before the field loses the focus, which closes the list.
            onMouseDown={(event) => {
              event.preventDefault();
              choose(thread);
            }}
          >
            <bdi>{spellHidden(thread.title)}</bdi>
            {thread.status === 'closed' && <span class="row-sub">closed</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}

function titleOf(threadId: string | undefined, chosen: ListedThread | undefined): string {
  if (threadId === undefined) return '';
  const known =
    chosen?.threadId === threadId ? chosen : openThreads.value.find((thread) => thread.threadId === threadId);
  return spelled(known?.title ?? threadId);
}
