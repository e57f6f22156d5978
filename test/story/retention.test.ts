// --retain-days: old messages go once all recipients are done with them; everything else stays.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { movableClock } from '../support/movable-clock.js';
import { exportLines, importLines } from '../support/transfer.js';
import { useHub } from '../support/use-hub.js';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const clock = movableClock();
const hub = useHub({ clock, args: ['--retain-days', '7'] });

interface Receipt {
  recipient: string;
  state: string;
}

async function team(session: string, ids: readonly string[] = ['ann', 'ben']): Promise<void> {
  for (const agentId of ids) await call(hub.url, 'register_agent', { agentId }, { session });
}

const send = (session: string, input: object, agent = 'ann') =>
  call(hub.url, 'send_message', input, { agent, session });
/** A copy counts as read a moment after its answer: the clock must not move before. */
async function readAll(session: string, agent: string) {
  const answer = await call(hub.url, 'get_messages', { limit: 500 }, { agent, session });
  const { id: messageId } = answer.messages.at(-1) ?? {};
  if (messageId === undefined) return answer;
  await eventually('it is read', async () => {
    const { deliveries } = await call(hub.url, 'get_receipts', { messageId }, { session });
    return deliveries.some((receipt: Receipt) => receipt.recipient === agent && receipt.state === 'read');
  });
  return answer;
}
const isKnown = async (session: string, messageId: string) =>
  (await post(hub.url, 'get_receipts', { messageId }, { agent: 'ann', session })).status === 200;
/** Old messages are looked for once an hour. */
const gone = (session: string, messageId: string) =>
  eventually('it is pruned', async () => {
    clock.advance(hourMs);
    return !(await isKnown(session, messageId));
  });

function passDays(days: number): void {
  clock.advance(days * dayMs);
}

describe('an old message', () => {
  it('goes when all have read it, from history, search, receipts and threads, with its attachment', async () => {
    await team('gone');
    const { threadId } = await call(
      hub.url,
      'create_thread',
      { title: 'T', participants: ['ben'] },
      { agent: 'ann', session: 'gone' },
    );
    const image = { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'aGVsbG8=' } };
    const old = await send('gone', { threadId, content: [{ type: 'text', text: '@ben findable' }, image] });
    const { messageId } = old;
    await readAll('gone', 'ben');
    const hash = createHash('sha256').update('hello').digest('hex');
    await call(hub.url, 'get_attachment', { hash }, { agent: 'ben', session: 'gone' });
    await readAll('gone', 'ann');
    passDays(6);
    await send('gone', { threadId, message: '@ben younger' });
    expect(await isKnown('gone', messageId)).toBe(true);
    passDays(1.5);
    await gone('gone', messageId);
    const ann = { agent: 'ann', session: 'gone' };
    const unknown = async (operation: string, input: object) =>
      (await post(hub.url, operation, input, ann)).body.error.code;
    expect(await unknown('get_messages', { messageId })).toBe('MESSAGE_UNKNOWN');
    expect(await unknown('redact_message', { messageId })).toBe('MESSAGE_UNKNOWN');
    expect(await unknown('get_attachment', { messageId, index: 0 })).toBe('MESSAGE_UNKNOWN');
    expect(await unknown('get_attachment', { hash })).toBe('ATTACHMENT_UNKNOWN');
    expect(await unknown('send_message', { replyTo: messageId, message: 'x' })).toBe('MESSAGE_UNKNOWN');
    expect((await call(hub.url, 'search_messages', { query: 'findable' }, ann)).messages).toEqual([]);
    const thread = await call(hub.url, 'get_thread', { threadId }, ann);
    expect(thread.messages.map(({ id }: { id: string }) => id)).not.toContain(messageId);
    expect(thread.status).toBe('open');
    const history = await call(hub.url, 'query_message_history', { source: 'ann' }, ann);
    expect(history.messages).toHaveLength(1);
    const { messages: sent } = await call(hub.url, 'get_sent_messages', {}, ann);
    expect(sent).toHaveLength(1);
    await send('gone', { threadId, message: '@ben goes on' });
    expect((await readAll('gone', 'ben')).messages).toHaveLength(2);
  });

  it('stays while someone has not read it, while it can be replayed, and while it is the newest', async () => {
    await team('kept');
    const unread = await send('kept', { target: 'ben', message: 'unread' });
    const { body } = await post(
      hub.url,
      'send_message',
      { target: 'nobody', message: 'lost' },
      { agent: 'ann', session: 'kept' },
    );
    const lost = body.error.details.messageId;
    const done = await send('kept', { target: 'ann', message: 'note to self' });
    await readAll('kept', 'ann');
    const newest = await send('kept', { target: 'ann', message: 'newest' });
    await readAll('kept', 'ann');
    passDays(8);
    await gone('kept', done.messageId);
    for (const messageId of [unread.messageId, lost, newest.messageId]) {
      expect(await isKnown('kept', messageId)).toBe(true);
    }
    const next = await send('kept', { target: 'ann', message: 'next' });
    expect(next.seq ?? Number(/\d+/.exec(next.messageId)?.[0])).toBeGreaterThan(0);
    // The dead letter is discarded and the inbox is read: then they go too.
    const { deadLetters } = await call(hub.url, 'get_dead_letters', {}, { session: 'kept' });
    await call(hub.url, 'discard_dead_letter', { id: deadLetters[0].id }, { session: 'kept' });
    await readAll('kept', 'ben');
    passDays(1);
    await gone('kept', lost);
    expect(await isKnown('kept', unread.messageId)).toBe(true);
    passDays(7);
    await gone('kept', unread.messageId);
  });

  it('goes when it expired unread, with its dead letter', async () => {
    await team('expired');
    const { messageId } = await send('expired', { target: 'ben', message: 'soon over', ttl: 60 });
    await send('expired', { target: 'ben', message: 'after it' });
    clock.advance(120_000);
    const letters = async () => (await call(hub.url, 'get_dead_letters', {}, { session: 'expired' })).deadLetters;
    await eventually('it expired', async () => (await letters()).length === 1);
    passDays(8);
    await gone('expired', messageId);
    expect(await letters()).toEqual([]);
  });

  it('stays as the opening, or an answer, of a critical thread that is still open', async () => {
    await team('critical');
    const opened = call(
      hub.url,
      'create_critical_thread',
      { title: 'Down', participants: ['ben'], message: 'Who?', timeoutMs: 60_000 },
      { agent: 'ann', session: 'critical' },
    );
    const inbox = () => readAll('critical', 'ben');
    let opening: { id: string; threadId: string } | undefined;
    await eventually('it is there', async () => {
      opening = (await inbox()).messages.find(({ sender }: { sender: string }) => sender === 'ann');
      return opening !== undefined;
    });
    const { id = '', threadId = '' } = opening ?? {};
    const answer = await send('critical', { threadId, message: 'Me.' }, 'ben');
    await opened;
    await readAll('critical', 'ann');
    const done = await send('critical', { target: 'ann', message: 'note to self' });
    await readAll('critical', 'ann');
    await send('critical', { target: 'ann', message: 'newest' });
    passDays(8);
    await gone('critical', done.messageId);
    expect(await isKnown('critical', id)).toBe(true);
    expect(await isKnown('critical', answer.messageId)).toBe(true);
    await call(hub.url, 'close_thread', { threadId, summary: 'Found.' }, { agent: 'ann', session: 'critical' });
    passDays(1);
    await gone('critical', id);
    // What is left can be moved.
    const lines = await exportLines(hub.url, 'critical');
    expect(await importLines(hub.url, lines, { sessionId: 'critical-moved' })).toMatchObject({ status: 200 });
  });

  it('goes with very many others, in steps, and seqs go on', { tags: ['long'] }, async () => {
    await team('many');
    for (let from = 0; from < 350; from += 50) {
      await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          send('many', { target: 'ben', message: `n${from + index}`, idempotency_key: `k${from + index}` }),
        ),
      );
      await readAll('many', 'ben');
    }
    const { sessions } = await call(hub.url, 'list_sessions', { limit: 500 });
    const { lastSeq } = sessions.find(({ sessionId }: { sessionId: string }) => sessionId === 'many');
    passDays(8);
    const left = async () =>
      (await call(hub.url, 'query_message_history', { source: 'ann', limit: 100 }, { agent: 'ann', session: 'many' }))
        .messages;
    await eventually('only the newest is left', async () => {
      clock.advance(hourMs);
      return (await left()).length === 1;
    });
    expect((await left())[0].seq).toBe(lastSeq);
    const { messageId } = await send('many', { target: 'ben', message: 'next' });
    const [next] = (await call(hub.url, 'get_messages', { messageId }, { agent: 'ben', session: 'many' })).messages;
    expect(next.seq).toBe(lastSeq + 1);
  });
});

it('questions that have ended go too, with their recipients; those that are pending stay', async () => {
  const ask = async (ttl: number) =>
    (await call(hub.url, 'ask_question', { question: 'x', ttl, encrypt: false }, { agent: 'asker' })).questionId;
  const [answered, pending] = [await ask(0), await ask(0)];
  await call(hub.url, 'answer_question', { questionId: answered, response: 'y' }, { agent: 'me' });
  const statusOf = async (questionId: string) =>
    (await post(hub.url, 'get_response', { questionId }, { agent: 'asker' })).status;
  passDays(8);
  await eventually('it is pruned', async () => {
    clock.advance(hourMs);
    return (await statusOf(answered)) === 404;
  });
  expect(await statusOf(pending)).toBe(200);
});
