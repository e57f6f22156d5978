// Whom a message went to, and in which thread: for a page that shows messages of many.
import type { Message } from '../../data/types.js';
import { spellHidden } from '../../parts/hidden-chars.js';
import { messagePath } from '../../parts/message-path.js';
import { recipientsOf } from './recipients.js';

const namedMax = 4;

/** An empty title: in no thread. */
export function Route({ message, title }: { message: Message; title: string }) {
  const { threadId } = message;
  const { names, more: others } = recipientsOf(message);
  const more = Math.max(0, names.length - namedMax) + others;
  return (
    <p class="route">
      {names.length > 0 && (
        <>
          to{' '}
          {names.slice(0, namedMax).map((name, index) => (
            <>
              {index > 0 && ', '}
              <bdi>{spellHidden(name)}</bdi>
            </>
          ))}
          {more > 0 && ` and ${more} more`}
        </>
      )}
      {threadId !== undefined && (
        <>
          {' '}
          in{' '}
          <a href={messagePath(message.id, threadId)}>
            <bdi>{spellHidden(title)}</bdi>
          </a>
        </>
      )}
    </p>
  );
}
