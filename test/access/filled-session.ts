// A session with one of everything that has an id, and those ids.
import { z } from 'zod';
import { operationList } from '../../dist/contract/operations/index.js';
import { exampleOf } from '../../dist/http/openapi/examples.js';
import type { Answered } from './ask.js';

export type Ask = (operation: string, input: Record<string, unknown>) => Promise<Answered>;

/** In every text of the session. */
export const marker = 'zebrafish';

export interface KnownId {
  kind: string;
  id: string;
  /** Of the same form, and of nothing. */
  ghost: string;
}

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** `ann` holds everything that a key can hold. */
export async function fillSession(name: string, { ann, ben }: Record<'ann' | 'ben', Ask>): Promise<KnownId[]> {
  const done = async (asked: Promise<Answered>) => {
    const { status, body, text } = await asked;
    if (status !== 200) throw new Error(text);
    return body;
  };
  const [annId, benId, groupId] = [`ann-${name}`, `ben-${name}`, `group-${name}`];
  await done(ann('register_agent', { description: marker }));
  await done(ben('register_agent', { description: marker }));
  const title = `${marker} plan`;
  const opened = { title, participants: [benId], initial_message: `${marker} begins` };
  const thread = await done(ann('create_thread', opened));
  const hidden = await done(ann('create_thread', { ...opened, title: `${marker} hidden`, private: true }));
  const critical = await done(
    ann('create_critical_thread', { ...opened, title: `${marker} now`, wait_for_responses: 0, timeout_ms: 0 }),
  );
  // More than the other session ever has: a position of this one is past the end of that one.
  for (let count = 0; count < 12; count += 1) {
    await done(ann('send_message', { target: benId, message: `${marker} ${count}`, idempotency_key: `idem-${count}` }));
    await ann('send_message', { target: `nobody-${count}`, message: marker });
  }
  const image = { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: pixel } };
  const sent = await done(
    ann('send_message', { threadId: thread.threadId, content: [image, { type: 'text', text: marker }] }),
  );
  await done(ann('set_group', { name: groupId, members: [annId, benId] }));
  await done(ann('set_notify_template', { name: 'closed', text: `${marker} {title}` }));
  await done(ben('set_notify_prefs', { followThreads: [thread.threadId] }));
  const letters = await done(ann('get_dead_letters', {}));
  const shown = await done(ann('get_thread', { threadId: thread.threadId }));
  const [letter] = letters.deadLetters;
  const hash = JSON.stringify(shown).match(/"hash":"([0-9a-f]{64})"/)?.[1] ?? (await hashOf(pixel));
  await done(ben('get_messages', { limit: 8 }));
  const leased = await done(ben('get_messages', { limit: 2, ack: 'manual' }));
  return [
    ...[thread, hidden, critical].map(({ threadId }) => ({
      kind: 'thread',
      id: threadId,
      ghost: lastChanged(threadId),
    })),
    { kind: 'title', id: title, ghost: `${title}z` },
    { kind: 'message', id: sent.messageId, ghost: lastChanged(sent.messageId) },
    { kind: 'dead letter', id: letter.id, ghost: `${letter.id}99999` },
    { kind: 'attachment', id: hash, ghost: lastChanged(hash) },
    { kind: 'agent', id: benId, ghost: lastChanged(benId) },
    { kind: 'group', id: groupId, ghost: lastChanged(groupId) },
    { kind: 'idempotency key', id: 'idem-3', ghost: 'idem-x' },
    { kind: 'lease cursor', id: leased.cursor, ghost: otherPosition(leased.cursor) },
    ...(await cursorsOf({ ann, ben }, { threadId: thread.threadId, source: annId, query: marker })),
  ];
}

async function hashOf(base64: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(base64, 'base64'));
  return Buffer.from(digest).toString('hex');
}

/** Of every operation that answers in pages. */
async function cursorsOf(asks: Record<'ann' | 'ben', Ask>, known: Record<string, unknown>): Promise<KnownId[]> {
  const found: KnownId[] = [];
  for (const operation of operationList) {
    const { shape } = operation.input;
    const example = exampleOf(operation) ?? {};
    if (!('cursor' in operation.output.shape)) continue;
    const needed = Object.entries(known).filter(([name]) => name in example || (name in shape && !('cursor' in shape)));
    const waits = Object.keys(shape).includes('timeoutMs') ? { timeoutMs: 0 } : {};
    const input = { ...Object.fromEntries(needed), ...('limit' in shape ? { limit: 1 } : {}), ...waits };
    const ask = operation.name === 'get_messages' ? asks.ben : asks.ann;
    const { body } = await ask(operation.name, {
      ...input,
      ...(operation.name === 'get_messages' ? { markAsRead: false } : {}),
    });
    const cursor: unknown = body?.cursor;
    if (typeof cursor === 'string') {
      found.push({ kind: `cursor of ${operation.name}`, id: cursor, ghost: otherPosition(cursor) });
    }
  }
  return found;
}

/** The last letter or digit is another. */
export function lastChanged(id: string): string {
  const last = id.at(-1) ?? '';
  const other = /\d/.test(last) ? String((Number(last) + 1) % 10) : last === 'b' ? 'c' : 'b';
  return id.slice(0, -1) + other;
}

const cursorFields = z.array(z.union([z.string(), z.number()]));

/** A cursor of the same form, a little further on. */
function otherPosition(cursor: string): string {
  try {
    const [kind, ...fields] = cursorFields.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    // Of a lease the token, of a position its last part.
    const place = kind === 'l' ? 0 : fields.length - 1;
    const moved = fields.map((field, index) => {
      if (index !== place) return field;
      return typeof field === 'number' ? field + 1 : lastChanged(field);
    });
    return Buffer.from(JSON.stringify([kind, ...moved])).toString('base64url');
  } catch {
    return lastChanged(cursor);
  }
}
