// Every thread that this person may see, the last active first, with filters that are part of the address.
import { useEffect, useState } from 'preact/hooks';
import { inQuery, setQuery } from '../app/router.js';
import { me } from '../data/hub.js';
import { joined, readThreads, threadsChanged, type ListedThread } from '../data/threads/threads.js';
import { isObserver } from '../data/rights.js';
import { everyone } from '../data/team.js';
import { Bones } from '../parts/bones.js';
import { Chip } from '../parts/chip.js';
import { spellHidden } from '../parts/hidden-chars.js';
import { Icon } from '../parts/icon.js';
import { InlineMarkdown } from '../parts/markdown.js';
import { ErrorState, State } from '../parts/state.js';
import { Time } from '../parts/words/time.js';
import { NewThread } from './threads/new-thread.js';

interface Listed {
  threads: readonly ListedThread[];
  cursor: string | null;
  /** The reader has read on. */
  isLonger: boolean;
}

export function ThreadsPage() {
  const status = inQuery('status');
  const participant = inQuery('with');
  const words = inQuery('q') ?? '';
  const [listed, setListed] = useState<Listed | undefined>(undefined);
  const [error, setError] = useState<Error | undefined>(undefined);
  const [isNew, setNew] = useState(false);
  const read = (cursor?: string) => {
    setError(undefined);
    readThreads({ status, participant }, cursor).then(
      (page) =>
        setListed((before) => ({
          threads: cursor === undefined ? page.threads : joined(before?.threads ?? [], page.threads),
          cursor: page.cursor,
          isLonger: cursor !== undefined,
        })),
      (thrown: Error) => setError(thrown),
    );
  };
  // A reader who has read on keeps the list as it is.
  useEffect(() => {
    if (listed?.isLonger !== true) read();
  }, [status, participant, threadsChanged.value]);
  const shown = listed?.threads.filter((thread) => isFound(thread, words));
  return (
    <div class="stack">
      <div class="filters">
        <div class="chips" role="group" aria-label="Which threads">
          <Chip isOn={status === undefined} onClick={() => setQuery({ status: undefined })}>
            All
          </Chip>
          <Chip isOn={status === 'open'} onClick={() => setQuery({ status: 'open' })}>
            Open
          </Chip>
          <Chip isOn={status === 'closed'} onClick={() => setQuery({ status: 'closed' })}>
            Closed
          </Chip>
          {!isObserver.value && (
            <Chip
              isOn={participant !== undefined && participant === me.value}
              onClick={() => setQuery({ with: participant === me.value ? undefined : me.value })}
            >
              With me
            </Chip>
          )}
        </div>
        <select
          class="field select"
          aria-label="With this member"
          value={participant ?? ''}
          onChange={({ currentTarget }) => setQuery({ with: currentTarget.value })}
        >
          <option value="">Anyone</option>
          {everyone.value.slice(0, 500).map(({ id }) => (
            <option value={id}>{id}</option>
          ))}
        </select>
        <input
          class="field"
          type="search"
          aria-label="Part of the title"
          placeholder="Part of the title"
          value={words}
          onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
        />
        {!isObserver.value && (
          <button class="btn" type="button" aria-expanded={isNew} onClick={() => setNew(!isNew)}>
            New thread
          </button>
        )}
      </div>
      {isNew && <NewThread />}
      {error !== undefined && <ErrorState error={error} />}
      {shown === undefined && error === undefined && <Bones label="Loading the threads" />}
      {shown?.length === 0 && (
        <State icon="threads" title={listed?.threads.length === 0 ? 'No threads here.' : 'No title has these words.'}>
          Agents open threads with create_thread. You can open one too.
        </State>
      )}
      {shown !== undefined && shown.length > 0 && (
        <ul class="rows">
          {shown.map((thread) => (
            <ThreadRow key={thread.threadId} thread={thread} />
          ))}
        </ul>
      )}
      {listed !== undefined && listed.cursor !== null && (
        <button class="btn" type="button" onClick={() => read(listed.cursor ?? undefined)}>
          Show older
        </button>
      )}
    </div>
  );
}

function isFound({ title }: ListedThread, words: string): boolean {
  return title.toLowerCase().includes(words.trim().toLowerCase());
}

const namedMax = 6;

function ThreadRow({ thread }: { thread: ListedThread }) {
  const { threadId, title, status, participants, unread, critical } = thread;
  const more = participants.length - namedMax;
  return (
    <li>
      <a class="row" href={`/app/thread/${encodeURIComponent(threadId)}`} data-item>
        <Icon name={status === 'closed' ? 'success' : thread.private === true ? 'lock' : 'threads'} />
        <div class="row-main">
          <p class={unread > 0 ? 'unread' : ''}>
            <bdi>{spellHidden(title)}</bdi>
          </p>
          <p class="row-sub">
            <bdi>{spellHidden(participants.slice(0, namedMax).join(', '))}</bdi>
            {more > 0 && ` and ${more} more`}
            {status === 'closed' && ' · closed'}
            {critical && ' · critical'}
            {thread.private === true && ' · private'}
          </p>
          {status === 'closed' && thread.summary !== undefined && (
            <p class="row-sub clamp" dir="auto">
              <InlineMarkdown text={thread.summary} />
            </p>
          )}
        </div>
        {thread.lastAt !== undefined && <Time at={thread.lastAt} />}
        {unread > 0 && (
          <b class="count">
            {unread}
            <span class="vh"> unread</span>
          </b>
        )}
      </a>
    </li>
  );
}
