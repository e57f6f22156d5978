// One message of a thread. It reads signals, so it is drawn again only if one of them or one of its props has changed.
import { memo } from './memo.js';
import { me } from '../../data/hub.js';
import type { Message } from '../../data/types.js';
import { Icon } from '../../parts/icon.js';
import { lineOf } from '../../parts/line.js';
import { spellHidden } from '../../parts/hidden-chars.js';
import { messagePath } from '../../parts/message-path.js';
import { Time } from '../../parts/words/time.js';
import { Name, Who } from '../../parts/who.js';
import { Blocks } from './blocks.js';
import { Receipts } from './receipts.js';
import { Route } from './route.js';
import type { ToolIndex } from './tools.js';

export interface EntryProps {
  message: Message;
  /** Undefined for a message that is in no thread. */
  threadId: string | undefined;
  /** In a replay of the session: the title of its thread, empty if it is in none. */
  title?: string | undefined;
  /** What it answers, if the page holds it. */
  parent: Message | undefined;
  isFresh: boolean;
  /** Named by the link. */
  isMeant: boolean;
  /** In a replay: without receipts, which say what is so now. */
  isPast?: boolean;
  /** Which tool calls and results are known: see `toolLinks`. */
  links: string;
  tools: ToolIndex;
  onReply: ((message: Message) => void) | undefined;
}

const asking = new Set(['QUERY', 'DIRECTIVE', 'PING']);

export const Entry = memo<EntryProps>('tools', (props) => {
  const { message, threadId, title, parent, isFresh, isMeant, isPast = false, tools, onReply } = props;
  const { id, sender, name, type, content, redacted } = message;
  if (sender === 'system') return <Notice message={message} title={title} isMeant={isMeant} />;
  const isForMe = message.mentions?.includes(me.value ?? '') === true;
  const looks = [
    'msg',
    ...(message.replyTo === undefined ? [] : ['indent']),
    ...(isFresh ? ['fresh'] : []),
    ...(isMeant ? ['msg-meant'] : []),
  ];
  return (
    <li class={looks.join(' ')} id={id} data-item tabIndex={-1}>
      <Who id={sender} />
      <div class="msg-head">
        <a class="plain" href={`/app/agent/${encodeURIComponent(sender)}`}>
          <Name id={sender} name={name} />
        </a>
        {type !== undefined && type !== 'STATUS' && (
          <span class={asking.has(type) ? 'type type-asks' : 'type'}>{type}</span>
        )}
        {message.priority === 'high' && <span class="flag flag-high">high</span>}
        {message.priority === 'low' && <span class="flag">low</span>}
        {message.action === 'interrupt' && <span class="flag flag-high">interrupt</span>}
        {isForMe && <span class="vh">mentions you</span>}
        {message.replyTo !== undefined && <Parent threadId={threadId} id={message.replyTo} parent={parent} />}
        <Time at={message.timestamp} href={messagePath(id, threadId)} />
        {onReply !== undefined && (
          <button class="msg-reply" type="button" data-key="r" onClick={() => onReply(message)}>
            Reply<span class="vh"> to {sender}</span>
          </button>
        )}
      </div>
      <div class="msg-body">
        {title !== undefined && <Route message={message} title={title} />}
        {redacted === undefined ? (
          <Blocks messageId={id} sender={sender} content={content} tools={tools} />
        ) : (
          <p class="row-sub">
            Erased by <bdi>{spellHidden(redacted.by)}</bdi>
            {redacted.reason !== undefined && <bdi>: {spellHidden(redacted.reason)}</bdi>}
          </p>
        )}
      </div>
      {!isPast && <Receipts message={message} />}
    </li>
  );
});

const quoteChars = 80;

function Parent({ threadId, id, parent }: Pick<EntryProps, 'threadId' | 'parent'> & { id: string }) {
  return (
    <a class="reply-to" href={messagePath(id, threadId)}>
      <Icon name="reply" />
      <span>
        {parent === undefined ? (
          'an earlier message'
        ) : (
          <>
            <b>
              <bdi>{spellHidden(parent.name ?? parent.sender)}</bdi>
            </b>{' '}
            <bdi>{spellHidden(lineOf(parent).slice(0, quoteChars))}</bdi>
          </>
        )}
      </span>
    </a>
  );
}

function Notice({ message, title = '', isMeant }: Pick<EntryProps, 'message' | 'title' | 'isMeant'>) {
  return (
    <li class={`sys${isMeant ? ' msg-meant' : ''}`} id={message.id}>
      <span dir="auto">
        {title !== '' && (
          <>
            <bdi>{spellHidden(title)}</bdi>:{' '}
          </>
        )}
        {spellHidden(lineOf(message))} <Time at={message.timestamp} />
      </span>
    </li>
  );
}
