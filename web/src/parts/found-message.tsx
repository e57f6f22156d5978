// A message in a list: who, where, its beginning or where a word was found. Leads to its place in the thread.
import type { Message } from '../data/types.js';
import { spellHidden } from './hidden-chars.js';
import { lineOf } from './line.js';
import { InlineMarkdown } from './markdown.js';
import { WithMentions } from './mention.js';
import { isOfThread, messagePath } from './message-path.js';
import { Time } from './words/time.js';
import { Name, Who } from './who.js';

export interface FoundProps {
  message: Message & { snippet?: string; target?: string };
  /** The title of its thread, where it is known. */
  title?: string | undefined;
}

export function FoundMessage({ message, title }: FoundProps) {
  const { id, sender, name, threadId, timestamp, snippet } = message;
  const target = typeof message['target'] === 'string' ? message['target'] : undefined;
  const addressed = target === undefined ? '' : `to ${target}`;
  const place = isOfThread(threadId) ? `in ${title ?? threadId}` : addressed;
  return (
    <li>
      <a class="row" href={messagePath(id, threadId)} data-item id={id}>
        <Who id={sender} />
        <div class="row-main">
          <p>
            <Name id={sender} name={name} />{' '}
            <span class="row-sub">
              <bdi>{spellHidden(place)}</bdi>
              {message.type !== undefined && message.type !== 'STATUS' && ` ${message.type}`}
            </span>
          </p>
          <p class="clamp" dir="auto">
            {snippet === undefined ? <WithMentions text={lineOf(message)} /> : <InlineMarkdown text={snippet} />}
          </p>
        </div>
        <Time at={timestamp} />
      </a>
    </li>
  );
}
