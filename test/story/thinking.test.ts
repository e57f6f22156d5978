// Thinking is the sender's own: kept for it, and withheld from everyone else in every answer, unless it is shared.
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { connectMcp } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

let rooms = 0;

/** Ann, Ben and a thread of theirs in a session of their own. */
async function room() {
  rooms += 1;
  const session = `room-${rooms}`;
  await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
  const input = { title: 'T', participants: ['ben'] };
  const { threadId } = await call(hub.url, 'create_thread', input, { agent: 'ann', session });
  await call(hub.url, 'get_messages', {}, { agent: 'ben', session });
  const send = (fields: Record<string, unknown>) =>
    call(hub.url, 'send_message', { threadId, mentions: ['ben'], ...fields }, { agent: 'ann', session });
  const ask = (agent: string, operation: string, fields: object) =>
    call(hub.url, operation, fields, { agent, session });
  return { session, threadId, send, ask };
}

/** A session's feed as one follower has it, from its beginning. */
async function fed(session: string, agent: string): Promise<string> {
  const stop = new AbortController();
  const response = await fetch(`${hub.url}/v1/events?after=0&session=${session}&agent=${agent}`, {
    signal: stop.signal,
  });
  let text = '';
  const reading = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
  })().catch(() => {});
  await eventually('the message', () => text.includes('aloud'));
  stop.abort();
  await reading;
  return text;
}

const spoken = [
  { type: 'thinking', thinking: 'a secret thought' },
  { type: 'text', text: 'said aloud' },
];

const answers: [
  name: string,
  (at: Awaited<ReturnType<typeof room>>, agent: string, messageId: string) => Promise<unknown>,
][] = [
  ['get_thread', ({ ask, threadId }, agent) => ask(agent, 'get_thread', { threadId })],
  ['query_message_history', ({ ask }, agent) => ask(agent, 'query_message_history', { source: 'ann' })],
  ['search_messages', ({ ask }, agent) => ask(agent, 'search_messages', { query: 'aloud' })],
  ['get_messages by id', ({ ask }, agent, messageId) => ask(agent, 'get_messages', { messageId })],
  ['get_sent_messages', ({ ask }, agent) => ask(agent, 'get_sent_messages', { source: 'ann' })],
  ['the feed', ({ session }, agent) => fed(session, agent)],
];

const inboxes: [name: string, fields: object][] = [
  ['get_messages', { include: 'recent' }],
  ['get_messages', { markAsRead: false }],
  ['wait_for_mentions', { timeoutMs: 0, ack: 'manual' }],
  ['get_messages', {}],
];

describe.each([
  ['a block', spoken],
  ['a leading tag', '\n <think>\na secret thought</think>\n\nsaid aloud'],
])('written as %s', (_, content) => {
  it.each(answers)('is shown by %s to its sender, and to others only when shared', async (_name, ask) => {
    for (const shareThinking of [false, true]) {
      const at = await room();
      const { messageId } = await at.send({ content, shareThinking });
      const [own, other] = [await ask(at, 'ann', messageId), await ask(at, 'ben', messageId)].map((seen) =>
        JSON.stringify(seen),
      );
      expect(own).toContain('a secret thought');
      expect(own).toContain('aloud');
      expect(other).toContain('aloud');
      expect(other?.includes('a secret thought')).toBe(shareThinking);
      expect(`${own}${other}`).not.toContain('think>');
    }
  });

  it('is in no inbox unless shared', async () => {
    for (const shareThinking of [false, true]) {
      const at = await room();
      await at.send({ content, shareThinking });
      for (const [operation, fields] of inboxes.slice(0, 2)) {
        const { messages } = await at.ask('ben', operation, fields);
        expect(messages.at(-1).content).toEqual(shareThinking ? spoken : spoken.slice(1));
      }
      for (const [operation, fields] of inboxes.slice(2)) {
        await at.send({ content, shareThinking });
        const { messages } = await at.ask('ben', operation, fields);
        expect(messages.at(-1).content).toEqual(shareThinking ? spoken : spoken.slice(1));
      }
    }
  });

  it('is not in the text a model reads', async () => {
    const at = await room();
    await at.send({ content });
    const client = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ben&session=${at.session}`);
    const answer = await client.call('wait_for_mentions', { timeoutMs: 0 });
    await client.close();
    expect(answer.text).toContain('<content>said aloud</content>');
    expect(JSON.stringify(answer)).not.toContain('secret');
  });
});

describe('a tag', () => {
  const kept = async (fields: Record<string, unknown>) => {
    const at = await room();
    const { messageId } = await at.send(fields);
    return (await at.ask('ann', 'get_messages', { messageId })).messages[0].content;
  };

  it.each([
    ['that is never closed', '<think>is this the answer?'],
    ['that does not lead', 'Well. <think>hm</think> Yes.'],
    ['of another name', '<thinking>hm</thinking> Yes.'],
    ['in capitals', '<THINK>hm</THINK> Yes.'],
  ])('%s stays text', async (_, text) => {
    expect(await kept({ content: text })).toEqual([{ type: 'text', text }]);
  });

  it.each(['USER', 'TOOL'])('of a %s stays text', async (role) => {
    const text = '<think>hm</think> Yes.';
    expect(await kept({ content: text, role })).toEqual([{ type: 'text', text }]);
  });

  it('ends at the first closing tag, and what follows is said', async () => {
    expect(await kept({ content: '<think>a <think> b</think> c</think> d' })).toEqual([
      { type: 'thinking', thinking: 'a <think> b' },
      { type: 'text', text: 'c</think> d' },
    ]);
  });

  it('with nothing in it leaves only what was said', async () => {
    expect(await kept({ content: '<think>\n\n</think>\n\nYes.' })).toEqual([{ type: 'text', text: 'Yes.' }]);
  });

  it('mentions nobody', async () => {
    const at = await room();
    const sent = await at.send({ content: '<think>ask @ben</think> Hello.', mentions: [] });
    expect(sent.mentions).toEqual([]);
  });

  it('around everything leaves nothing to deliver', async () => {
    const at = await room();
    const input = { threadId: at.threadId, content: '<think>only a thought</think>' };
    const { body } = await post(hub.url, 'send_message', input, { agent: 'ann', session: at.session });
    expect(body.error.code).toBe('CONTENT_EMPTY');
  });
});
