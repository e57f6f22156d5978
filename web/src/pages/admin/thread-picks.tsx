// A list of threads: one is added by its id or title, and any can be taken out.
import { useId, useRef, useState } from 'preact/hooks';
import { spelled, spellHidden } from '../../parts/hidden-chars.js';

export interface ThreadPicksProps {
  legend: string;
  /** What is done to a thread by adding it: "Mute". */
  act: string;
  picked: readonly string[];
  /** Of the threads that are offered, by id. */
  titles: ReadonlyMap<string, string>;
  onChange: (picked: string[]) => void;
}

export function ThreadPicks({ legend, act, picked, titles, onChange }: ThreadPicksProps) {
  const [typed, setTyped] = useState('');
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const thread = typed.trim();
  const pick = (threads: readonly string[]) => {
    onChange([...new Set(threads)]);
    // The button that was pressed is gone, or off.
    field.current?.focus();
  };
  const add = () => {
    if (thread === '') return;
    pick([...picked, thread]);
    setTyped('');
  };
  return (
    <fieldset class="checks">
      <legend class="small">{legend}</legend>
      {picked.length > 0 && (
        <ul class="picks">
          {picked.map((each) => (
            <li key={each}>
              <bdi>{spellHidden(titles.get(each) ?? each)}</bdi>
              <button
                class="btn btn-quiet"
                type="button"
                onClick={() => pick(picked.filter((other) => other !== each))}
              >
                Take out<span class="vh"> {spellHidden(titles.get(each) ?? each)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="free">
        <label class="small">
          A thread to {act.toLowerCase()}, by its id or title
          <input
            class="field"
            ref={field}
            dir="auto"
            autocomplete="off"
            list={id}
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              // Not yet the whole form.
              event.preventDefault();
              add();
            }}
          />
        </label>
        <button class="btn" type="button" disabled={thread === ''} onClick={add}>
          {act}
        </button>
      </div>
      <datalist id={id}>
        {[...titles].map(([threadId, title]) => (
          <option key={threadId} value={threadId} label={spelled(title)} />
        ))}
      </datalist>
    </fieldset>
  );
}
