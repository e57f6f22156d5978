// A thread as it happens. What it shows is what get_thread answers; the stream only brings it sooner.
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ThreadView } from '../../../src/contract/thread.js';
import { inQuery, query } from '../app/router.js';
import type { PageProps } from '../app/routes.js';
import { useTitle } from '../app/title.js';
import { markThreadRead } from '../data/mail.js';
import { waiting } from '../data/store.js';
import { isObserver } from '../data/rights.js';
import { isMember, OpenThread } from '../data/threads/thread.js';
import type { Message } from '../data/types.js';
import { Refused } from '../data/api.js';
import { Bones } from '../parts/bones.js';
import { spelled } from '../parts/hidden-chars.js';
import { InlineMarkdown, Markdown } from '../parts/markdown.js';
import { linkedMentions } from '../parts/mention.js';
import { ErrorState, State } from '../parts/state.js';
import { Left } from '../parts/words/time.js';
import { titleOf } from '../parts/words/words.js';
import { ThreadActs, useAct } from './thread/acts.js';
import { MembersLine, ThreadAside } from './thread/aside.js';
import { Composer } from './thread/composer.js';
import { Messages } from './thread/messages.js';

export function ThreadPage({ params }: PageProps) {
  const id = params['id'] ?? '';
  const at = inQuery('at');
  const open = useMemo(() => new OpenThread(id), [id]);
  const [replyTo, setReplyTo] = useState<Message | undefined>(undefined);
  useEffect(() => open.open(at), [open]);
  // A link to another message of the same thread.
  useEffect(() => {
    const isHere = open.window.value.messages.some((message) => message.id === at);
    if (at !== undefined && open.thread.value !== undefined && !isHere) void open.toMessage(at);
  }, [query.value]);
  const thread = open.thread.value;
  const error = open.error.value;
  useTitle(thread === undefined ? 'Thread' : spelled(thread.title));
  useReading(open, thread);
  if (thread === undefined) {
    return error === undefined ? <Bones label="Loading the thread" /> : <NoThread id={id} error={error} open={open} />;
  }
  const mayWrite = thread.status === 'open' && isMember(thread);
  return (
    <div class="cols">
      <div class="thread-page">
        <MembersLine {...thread} />
        {open.window.value.messages.length === 0 && <p class="effect">No messages yet.</p>}
        <Messages open={open} threadId={thread.threadId} at={at} onReply={mayWrite ? setReplyTo : undefined} />
        {error !== undefined && <ErrorState error={error} />}
        <OpenQuestions threadId={thread.threadId} />
        {mayWrite ? (
          <Composer thread={thread} replyTo={replyTo} onReplyEnd={() => setReplyTo(undefined)} />
        ) : (
          <NotWritten open={open} thread={thread} />
        )}
      </div>
      <ThreadAside open={open} thread={thread} />
    </div>
  );
}

/** Who sees it has read it. */
function useReading(open: OpenThread, thread: ThreadView | undefined): void {
  const last = open.window.value.messages.at(-1)?.id;
  const threadId = thread !== undefined && isMember(thread) ? thread.threadId : undefined;
  useEffect(() => {
    if (threadId === undefined || last === undefined || document.visibilityState !== 'visible') return undefined;
    // Without a connection it stays unread until the thread is opened again.
    const timer = setTimeout(() => void markThreadRead(threadId).catch(() => undefined), 500);
    return () => clearTimeout(timer);
  }, [threadId, last]);
}

function OpenQuestions({ threadId }: { threadId: string }) {
  return (
    <>
      {waiting.value
        .filter((question) => question.threadId === threadId)
        .map((question) => (
          <a class="link-q" href={`/app/question/${question.id}`}>
            <b dir="auto">
              <InlineMarkdown text={titleOf(question)} />
            </b>
            <span class="mark">
              <Left until={question.expiresAt} />
            </span>
            <span>Answer</span>
          </a>
        ))}
    </>
  );
}

/** In place of the reply box. */
function NotWritten({ open, thread }: { open: OpenThread; thread: ThreadView }) {
  const { act, error } = useAct(open, thread);
  if (thread.status === 'open') {
    const join = (
      <button class="btn" type="button" onClick={() => void act('join_thread')}>
        Join
      </button>
    );
    return (
      <>
        <State
          icon="eye"
          title="You look on. You are not in this thread."
          {...(isObserver.value ? {} : { actions: join })}
        >
          Members write here. Joining tells the others.
        </State>
        {error !== undefined && <ErrorState error={error} />}
      </>
    );
  }
  return (
    <section class="closed" aria-label="Closed">
      <p>
        <b>Closed</b>
      </p>
      {thread.summary !== undefined && thread.summary !== '' && (
        <Markdown text={thread.summary} leaf={linkedMentions} />
      )}
      <ThreadActs open={open} thread={thread} />
    </section>
  );
}

function NoThread({ id, error, open }: { id: string; error: Error; open: OpenThread }) {
  const { act, error: actError } = useAct(open, {
    threadId: id,
    title: '',
    status: 'open',
    creator: '',
    participants: [],
  });
  const isClosedToMe = error instanceof Refused && error.code === 'FORBIDDEN';
  const join = isClosedToMe && (
    <button class="btn" type="button" onClick={() => void act('join_thread').then(() => open.toNewest())}>
      Join
    </button>
  );
  return (
    <ErrorState
      error={actError ?? error}
      actions={
        <>
          {join}
          <a class="btn" href="/app/threads">
            To the threads
          </a>
        </>
      }
    />
  );
}
