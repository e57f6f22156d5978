// What was said up to the position of a replay. The last of it is in view.
import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { Message } from '../../data/types.js';
import { Entry } from '../thread/entry.js';
import { toolLinks, toolsIn } from '../thread/tools.js';

export interface SaidProps {
  messages: readonly Message[];
  /** Of the session: with the titles of their threads, by id. */
  titles?: ReadonlyMap<string, string>;
}

export function Said({ messages, titles }: SaidProps) {
  const tools = toolsIn(messages);
  const byId = new Map(messages.map((message) => [message.id, message]));
  const last = messages.at(-1);
  useEnd(last?.id);
  return (
    <ol class="thread" aria-label="Messages">
      {messages.map((message) => (
        <Entry
          key={message.id}
          message={message}
          threadId={message.threadId}
          title={titles === undefined ? undefined : (titles.get(message.threadId ?? '') ?? message.threadId ?? '')}
          parent={message.replyTo === undefined ? undefined : byId.get(message.replyTo)}
          isFresh={message === last}
          isMeant={message === last}
          isPast
          links={toolLinks(message, tools)}
          tools={tools}
          onReply={undefined}
        />
      ))}
    </ol>
  );
}

/** Also when the page gets another size. At once, so that nothing moves for those who want no motion. */
function useEnd(last: string | undefined): void {
  useLayoutEffect(toEnd, [last]);
  useEffect(() => {
    addEventListener('resize', toEnd);
    return () => removeEventListener('resize', toEnd);
  }, []);
}

function toEnd(): void {
  scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });
}
