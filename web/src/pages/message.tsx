// A message to this person, with what it answers and a reply box. Opening it marks it as read.
import { useEffect } from 'preact/hooks';
import type { PageProps } from '../app/routes.js';
import { useTitle } from '../app/title.js';
import { me } from '../data/hub.js';
import { markRead, textOf } from '../data/mail.js';
import { loading, mail, threadTitles, type Mail } from '../data/store.js';
import { Loading } from '../parts/loading.js';
import { Markdown } from '../parts/markdown.js';
import { Reply } from '../parts/reply.js';
import { State } from '../parts/state.js';
import { Time } from '../parts/time.js';
import { Name, Who } from '../parts/who.js';

export function MessagePage({ params }: PageProps) {
  const opened = mail.value.find(({ id }) => id === params['id']);
  if (opened !== undefined) return <OneMessage opened={opened} />;
  if (!loading.value.isLoaded) return <Loading label="Loading the message" />;
  const home = (
    <a class="btn" href="/">
      To the inbox
    </a>
  );
  return (
    <State tone="bad" icon="error" title="This message is not here." actions={home}>
      It does not exist, was not sent to you, or is older than what the app shows. MESSAGE_UNKNOWN
    </State>
  );
}

function OneMessage({ opened }: { opened: Mail }) {
  const conversation = mail.value
    .filter((each) => isSamePlace(each, opened) && each.seq <= opened.seq)
    .toSorted((a, b) => a.seq - b.seq);
  const title = opened.threadId === undefined ? `From ${opened.name ?? opened.sender}` : threadTitle(opened.threadId);
  useTitle(title);
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
        <Time at={message.timestamp} />
      </div>
      <div class="msg-body">
        <Markdown text={textOf(message)} />
      </div>
    </li>
  );
}
