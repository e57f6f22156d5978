// Opens a thread, as the person.
import { useId, useState } from 'preact/hooks';
import { go } from '../../app/router.js';
import { call } from '../../data/api.js';
import { team } from '../../data/team.js';
import { Chip } from '../../parts/chip.js';
import { spellHidden } from '../../parts/hidden-chars.js';
import { ErrorState } from '../../parts/state.js';

const listedMax = 60;

export function NewThread() {
  const ids = { title: useId(), text: useId() };
  const [title, setTitle] = useState('');
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [state, setState] = useState<'idle' | 'sending' | Error>('idle');
  const create = async () => {
    if (title.trim() === '' || state === 'sending') return;
    setState('sending');
    try {
      const first = text.trim() === '' ? {} : { initialMessage: text.trim() };
      const { threadId } = await call<{ threadId: string }>('create_thread', {
        title: title.trim(),
        participants: [...chosen],
        ...first,
        idempotencyKey: crypto.randomUUID(),
      });
      go(`/app/thread/${encodeURIComponent(threadId)}`);
    } catch (error) {
      if (error instanceof Error) setState(error);
    }
  };
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  return (
    <form
      class="new-thread"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <label for={ids.title}>Title</label>
      <input
        class="field"
        id={ids.title}
        dir="auto"
        value={title}
        onInput={({ currentTarget }) => setTitle(currentTarget.value)}
      />
      <div class="chips" role="group" aria-label="Members">
        {team.value.slice(0, listedMax).map(({ id }) => (
          <Chip key={id} isOn={chosen.has(id)} onClick={() => toggle(id)}>
            <bdi>{spellHidden(id)}</bdi>
          </Chip>
        ))}
      </div>
      <label for={ids.text}>First message, may be empty</label>
      <textarea
        class="field"
        id={ids.text}
        rows={2}
        dir="auto"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div class="btn-row">
        <button class="btn btn-main" type="submit" disabled={state === 'sending'}>
          Open the thread
        </button>
      </div>
      {state instanceof Error && <ErrorState error={state} />}
    </form>
  );
}
