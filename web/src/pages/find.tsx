// Full-text search with filters; the search is part of the address.
import { useEffect, useState } from 'preact/hooks';
import type { MessageType } from '../../../src/contract/message.js';
import { inQuery, query, setQuery } from '../app/router.js';
import { readFound, type Found } from '../data/find.js';
import { everyone } from '../data/team.js';
import { openThreads } from '../data/threads/threads.js';
import { Bones } from '../parts/bones.js';
import { spelled } from '../parts/hidden-chars.js';
import { FoundMessage } from '../parts/found-message.js';
import { ErrorState, State } from '../parts/state.js';
import { ThreadChoice } from './find/thread-choice.js';

const optionsMax = 500;
// Not the contract's own list: that brings its schemas with it.
const messageTypes: readonly MessageType[] = [
  'DIRECTIVE',
  'QUERY',
  'RESULT',
  'STATUS',
  'ACK',
  'HANDSHAKE',
  'PING',
  'PONG',
];

export function FindPage() {
  const words = inQuery('q') ?? '';
  const [written, write] = useState(words);
  const [found, setFound] = useState<Found | undefined>(undefined);
  const [error, setError] = useState<Error | undefined>(undefined);
  const filter = {
    query: words,
    threadId: inQuery('thread'),
    from: inQuery('from'),
    messageType: inQuery('type'),
    since: inQuery('since'),
    until: inQuery('until'),
  };
  const read = (cursor?: string) => {
    let isOver = false;
    setError(undefined);
    readFound(filter, cursor).then(
      (page) => {
        if (isOver) return;
        setFound((before) =>
          cursor === undefined ? page : { ...page, messages: [...(before?.messages ?? []), ...page.messages] },
        );
      },
      (thrown: Error) => !isOver && setError(thrown),
    );
    return () => {
      isOver = true;
    };
  };
  useEffect(() => {
    setFound(undefined);
    return words.trim() === '' ? undefined : read();
  }, [query.value]);
  return (
    <div class="stack">
      <form
        class="find"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setQuery({ q: written });
        }}
      >
        <input
          class="field"
          type="search"
          aria-label="Words to find"
          placeholder="Words, a “phrase”, or the beginning of a wor*"
          dir="auto"
          value={written}
          onInput={({ currentTarget }) => write(currentTarget.value)}
        />
        <button class="btn btn-main" type="submit">
          Find
        </button>
      </form>
      <div class="filters filters-find">
        <Choice
          name="from"
          label="Sender"
          all="Any sender"
          options={everyone.value.map(({ id }) => [id, id] as const)}
        />
        <ThreadChoice />
        <Choice name="type" label="Type" all="Any type" options={messageTypes.map((type) => [type, type] as const)} />
        <Day name="since" label="From" />
        <Day name="until" label="To" />
      </div>
      {error !== undefined && <ErrorState error={error} />}
      {words.trim() === '' && (
        <State icon="find" title="Find what was said.">
          In messages that you may read. All words must occur.
        </State>
      )}
      {words.trim() !== '' && found === undefined && error === undefined && <Bones label="Searching" />}
      {found?.messages.length === 0 && (
        <State icon="find" title="Nothing has these words.">
          {found.cursor === null ? 'Try fewer words, or a beginning with *.' : 'There is older history: search on.'}
        </State>
      )}
      {found !== undefined && found.messages.length > 0 && (
        <ul class="rows" aria-label="Found messages">
          {found.messages.map((message) => (
            <FoundMessage key={message.id} message={message} title={titleOf(message.threadId)} />
          ))}
        </ul>
      )}
      {found !== undefined && found.cursor !== null && (
        <button class="btn" type="button" onClick={() => read(found.cursor ?? undefined)}>
          Show more
        </button>
      )}
    </div>
  );
}

function titleOf(threadId: string | undefined): string | undefined {
  return openThreads.value.find((thread) => thread.threadId === threadId)?.title;
}

interface ChoiceProps {
  name: string;
  label: string;
  all: string;
  options: readonly (readonly [value: string, label: string])[];
}

function Choice({ name, label, all, options }: ChoiceProps) {
  const chosen = inQuery(name) ?? '';
  const isListed = chosen === '' || options.some(([value]) => value === chosen);
  return (
    <select
      class="field select"
      aria-label={label}
      value={chosen}
      onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
    >
      <option value="">{all}</option>
      {!isListed && <option value={chosen}>{spelled(chosen)}</option>}
      {options.slice(0, optionsMax).map(([value, shown]) => (
        <option value={value}>{spelled(shown)}</option>
      ))}
    </select>
  );
}

function Day({ name, label }: { name: string; label: string }) {
  return (
    <label class="day">
      {label}
      <input
        class="field"
        type="date"
        value={inQuery(name) ?? ''}
        onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
      />
    </label>
  );
}
