// A thread's last messages, then each new one as it is committed: none is missed, none comes twice.
import { EventEmitter, once } from 'node:events';
import type { Message } from '../../contract/message.js';
import { followEvents, type Following } from '../hub/follow-events.js';

export interface ThreadFollowing extends Omit<Following, 'after'> {
  readonly threadId: string;
  /** Called once, when the feed is open: what is committed from then on is in the feed, and perhaps in the history too. */
  readonly readHistory: () => Promise<readonly Message[]>;
}

export async function* followThread(following: ThreadFollowing): AsyncGenerator<Message> {
  const { threadId, readHistory, onOpen, ...feedChoice } = following;
  const opening = new EventEmitter();
  const opened = once(opening, 'open');
  const feed = followEvents({
    ...feedChoice,
    onOpen(url) {
      opening.emit('open');
      onOpen?.(url);
    },
  });
  let next = feed.next();
  await Promise.race([opened, next]);
  let last = 0;
  for (const message of await readHistory()) {
    last = message.seq;
    yield message;
  }
  for (;;) {
    const result = await next;
    if (result.done === true) return;
    const { value } = result;
    if (value.threadId === threadId && value.seq > last) yield value;
    next = feed.next();
  }
}
