// A message to this person, with what it answers and a reply box. Opening it marks it as read. Another message is read by its id.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PageProps } from '../app/routes.js';
import { useTitle } from '../app/title.js';
import { me } from '../data/hub.js';
import { markRead, textOf } from '../data/mail.js';
import { loading, mail, threadTitles, type Mail } from '../data/store.js';
import { Bones } from '../parts/bones.js';
import { spelled } from '../parts/hidden-chars.js';
import { Loading } from '../parts/loading.js';
import { Markdown } from '../parts/markdown.js';
import { messagePath } from '../parts/message-path.js';
import { Reply } from '../parts/reply.js';
import { State } from '../parts/state.js';
import { Time } from '../parts/words/time.js';
import { Name, Who } from '../parts/who.js';

export function MessagePage({ params }: PageProps) {
  const opened = mail.value.find(({ id }) => id === params['id']);
  if (opened !== undefined) return <OneMessage opened={opened} />;
  if (!loading.value.isLoaded) return <Loading label="Loading the message" />;
  return <Elsewhere id={params['id'] ?? ''} />;
}

/** Its code is loaded when it is needed: the first view has none of it. */
function Elsewhere({ id }: { id: string }) {
  const [Part, setPart] = useState<ComponentType<{ id: string }>>();
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    import('./message/any-message.js').then(
      (loaded) => setPart(() => loaded.AnyMessage),
      () => setFailed(true),
    );
  }, []);
  if (isFailed) return <State tone="bad" icon="error" title="There is no connection to load this message." />;
  return Part === undefined ? <Bones label="Loading the message" /> : <Part id={id} />;
}

function OneMessage({ opened }: { opened: Mail }) {
  const conversation = mail.value
    .filter((each) => isSamePlace(each, opened) && each.seq <= opened.seq)
    .toSorted((a, b) => a.seq - b.seq);
  const title = opened.threadId === undefined ? `From ${opened.name ?? opened.sender}` : threadTitle(opened.threadId);
  useTitle(spelled(title));
  useEffect(() => {
    // Without a connection it stays unread, and is marked when it is opened again.
    void markRead(conversation.map(({ id }) => id)).catch(() => undefined);
  }, [opened.id]);
  return (
    <div class="focus" data-item tabIndex={-1}>
      <ol class="thread">
        {conversation.map((each) => (
          <Entry key={each.id} message={each} />
        ))}
      </ol>
      {opened.sender !== 'system' && (
        <>
          <Reply to={opened} />
          <p class="effect">
            {opened.threadId === undefined
              ? `${opened.sender} gets it, and is woken if it waits.`
              : `All members of the thread get it; ${opened.sender} is woken.`}
          </p>
        </>
      )}
    </div>
  );
}

function isSamePlace(each: Mail, opened: Mail): boolean {
  return opened.threadId === undefined
    ? each.threadId === undefined && each.sender === opened.sender
    : each.threadId === opened.threadId;
}

function threadTitle(id: string): string {
  return threadTitles.value[id] ?? id;
}

function Entry({ message }: { message: Mail }) {
  const isForMe = message.mentions?.includes(me.value ?? '') === true;
  return (
    <li class="msg">
      <Who id={message.sender} />
      <div class="msg-head">
        <Name id={message.sender} name={message.name} />
        {message.type !== undefined && message.type !== 'STATUS' && <span class="type">{message.type}</span>}
        {message.priority === 'high' && <span class="flag flag-high">high</span>}
        {isForMe && <span class="flag">mentions you</span>}
        <Time at={message.timestamp} href={messagePath(message.id, message.threadId)} />
      </div>
      <div class="msg-body">
        <Markdown text={textOf(message)} />
      </div>
    </li>
  );
}
