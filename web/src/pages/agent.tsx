// One agent or person: what the hub knows of it, its threads, and what it sent and got lately.
import { useEffect, useState } from 'preact/hooks';
import type { PageProps } from '../app/routes.js';
import { useTitle } from '../app/title.js';
import { call } from '../data/api.js';
import { now } from '../data/clock.js';
import { isAdmin } from '../data/rights.js';
import { members, watchTeam } from '../data/team.js';
import { readThreads, type ListedThread } from '../data/threads/threads.js';
import type { Message } from '../data/types.js';
import { Bones } from '../parts/bones.js';
import { spelled, spellHidden } from '../parts/hidden-chars.js';
import { FoundMessage } from '../parts/found-message.js';
import { Markdown } from '../parts/markdown.js';
import { Presence } from '../parts/presence.js';
import { Section } from '../parts/section.js';
import { State } from '../parts/state.js';
import { duration } from '../parts/words/time-words.js';
import { Name, Who } from '../parts/who.js';
import { wakeWords } from './overview/wake-words.js';

const listedMax = 20;

export function AgentPage({ params }: PageProps) {
  const id = params['id'] ?? '';
  const member = members.value.get(id);
  useTitle(spelled(member?.name ?? id));
  useEffect(watchTeam, []);
  const threads = useRead(async () => (await readThreads({ participant: id })).threads, id);
  if (members.value.size === 0) return <Bones label="Loading" />;
  return (
    <div class="stack">
      {member === undefined ? (
        <State icon="info" title="No agent of this name is registered.">
          It was removed, or the link is of another session.
        </State>
      ) : (
        <section class="agent-head" aria-label="About">
          <Who id={id} size="l" />
          <div>
            <p>
              <Name id={id} name={member.name} /> <span class="mono row-sub">{spellHidden(id)}</span>
            </p>
            <p class="row-sub">
              <span class="presence">
                <Presence state={member.presence} />
                {member.presence}
              </span>{' '}
              · mail reaches it {spellHidden(wakeWords(member).text)}
              {member.unread !== undefined && ` · ${member.unread} unread`}
              {member.lastSeen !== undefined && ` · seen ${duration(now.value - Date.parse(member.lastSeen))} ago`}
            </p>
            {member.description !== '' && <Markdown text={member.description} />}
          </div>
        </section>
      )}
      <Section id="h-threads-of" title="Threads">
        <ThreadRows threads={threads} />
      </Section>
      {isAdmin.value && (
        <>
          <Recent id="h-sent" title="Sent lately" filter={{ source: id }} />
          <Recent id="h-got" title="Got lately" filter={{ target: id }} />
        </>
      )}
    </div>
  );
}

function ThreadRows({ threads }: { threads: readonly ListedThread[] | undefined }) {
  if (threads === undefined) return <Bones label="Loading the threads" />;
  if (threads.length === 0) return <p class="effect">None that you may see.</p>;
  return (
    <ul class="rows">
      {threads.slice(0, listedMax).map(({ threadId, title, status }) => (
        <li key={threadId}>
          <a class="row row-2" href={`/app/thread/${encodeURIComponent(threadId)}`} data-item>
            <bdi>{spellHidden(title)}</bdi>
            {status === 'closed' && <span class="row-sub">closed</span>}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Recent({ id, title, filter }: { id: string; title: string; filter: { source?: string; target?: string } }) {
  const messages = useRead(
    async () =>
      (await call<{ messages: Message[] }>('query_message_history', { ...filter, limit: listedMax })).messages,
    JSON.stringify(filter),
  );
  return (
    <Section id={id} title={title}>
      {messages === undefined && <Bones label="Loading messages" />}
      {messages?.length === 0 && <p class="effect">Nothing yet.</p>}
      {messages !== undefined && messages.length > 0 && (
        <ul class="rows">
          {messages.map((message) => (
            <FoundMessage key={message.id} message={message} />
          ))}
        </ul>
      )}
    </Section>
  );
}

/** Reads once for each key; undefined until then, and if it is refused. */
function useRead<Value>(read: () => Promise<Value>, key: string): Value | undefined {
  const [value, setValue] = useState<Value | undefined>(undefined);
  useEffect(() => {
    let isOver = false;
    read().then(
      (found) => !isOver && setValue(() => found),
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [key]);
  return value;
}
