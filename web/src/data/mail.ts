// Mail of agents to this person: read, and answered.
import type { ContentBlock } from '../../../src/contract/content-block.js';
import { call, Refused } from './api.js';
import { speaker } from './hub.js';
import { sendOrKeep } from './outbox.js';
import { isUnread, mail, refresh, type Mail } from './store.js';

const takeMax = 100;

/** Marks these as read and leaves the rest of the inbox as it is. */
export async function markRead(ids: readonly string[]): Promise<void> {
  const opened = new Set(ids);
  if (!mail.value.some((each) => opened.has(each.id) && isUnread(each))) return;
  const { messages } = await call<{ messages: Mail[] }>('get_messages', { ack: 'manual', limit: takeMax });
  const taken = messages.map(({ id }) => id);
  const read = taken.filter((id) => opened.has(id));
  const others = taken.filter((id) => !opened.has(id));
  if (read.length > 0) await call('ack_messages', { ids: read });
  if (others.length > 0) await call('ack_messages', { ids: others, release: true });
  await refresh('messages');
}

/** What this person has seen on the thread's page. */
export async function markThreadRead(threadId: string): Promise<void> {
  const { messages } = await call<{ messages: Mail[] }>('get_messages', { threadId, limit: takeMax });
  if (messages.length > 0) await refresh('messages');
}

export interface Post {
  threadId: string;
  content: string | readonly ContentBlock[];
  type?: string | undefined;
  replyTo?: string | undefined;
}

/** Into a thread. `@id` in the text mentions. Without a connection it is kept, and sent later. */
export async function post({ threadId, content, type, replyTo }: Post): Promise<'sent' | 'kept'> {
  const more = { ...(type === undefined ? {} : { messageType: type }), ...(replyTo === undefined ? {} : { replyTo }) };
  const input = { content, threadId, ...more, idempotencyKey: crypto.randomUUID() };
  const outcome = await sendOrKeep({ operation: 'send_message', input, owner: speaker.value });
  if (outcome.state === 'refused') throw new Refused(400, outcome);
  return outcome.state === 'waiting' ? 'kept' : 'sent';
}

/** Into the thread it came in, or to its sender. Without a connection it is kept, and sent later. */
export async function reply(to: Mail, content: string): Promise<'sent' | 'kept'> {
  const place = to.threadId === undefined ? { target: to.sender } : { threadId: to.threadId, mentions: [to.sender] };
  const input = { content, replyTo: to.id, ...place, idempotencyKey: crypto.randomUUID() };
  const outcome = await sendOrKeep({ operation: 'send_message', input, owner: speaker.value });
  if (outcome.state === 'waiting') return 'kept';
  if (outcome.state === 'refused') throw new Refused(400, outcome);
  await markRead([to.id]);
  await refresh('messages');
  return 'sent';
}

export function textOf({ content }: Mail): string {
  return content
    .map((block) => (block.type === 'text' ? block.text : `[${block.type.replaceAll('_', ' ')}]`))
    .join('\n\n');
}
