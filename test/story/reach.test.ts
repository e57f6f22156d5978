// A send says whom it reaches: who is woken by it now, who is there, who is away, and which names in it match no one.
import { describe, expect, it } from 'vitest';
import { runCli } from '../cli/run-cli.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { hubsAt } from '../support/hub-team.js';
import { connectMcp, generations } from '../support/mcp-clients.js';
import { parkedAt } from '../support/metrics.js';
import { movableClock } from '../support/movable-clock.js';
import { useHub } from '../support/use-hub.js';

type Fields = Record<string, unknown>;

const clock = movableClock();
const hub = useHub({ clock });

/** A team in a session of its own; `open` makes a thread of all of them, its notices read. */
async function team(session: string, ids: string[]) {
  for (const agentId of ids) await call(hub.url, 'register_agent', { agentId }, { session });
  const by = (agent: string, operation: string, input: Fields) => call(hub.url, operation, input, { agent, session });
  return {
    by,
    send: (input: Fields) => by('ann', 'send_message', input),
    open: async (): Promise<string> => {
      const participants = ids.filter((id) => id !== 'ann');
      const { threadId } = await by('ann', 'create_thread', { title: 'T', participants });
      for (const id of participants) await by(id, 'get_messages', {});
      return threadId;
    },
    /** Parks a wait of ben, and ends it. */
    whileBenWaits: async <Result>(input: Fields, during: () => Promise<Result>): Promise<Result> => {
      await by('ben', 'get_messages', {});
      const waiting = by('ben', 'wait_for_mentions', { timeoutMs: 600_000, ...input });
      await parkedAt(hub, 1);
      await knownToWait(session, 'ben');
      const result = await during();
      await by('ann', 'send_message', { target: 'ben', content: 'Enough.', action: 'interrupt' });
      await waiting;
      return result;
    },
  };
}

/** A hub is told of waits at others a moment later. */
const knownToWait = (session: string, agent: string) =>
  eventually(`every hub knows that ${agent} waits`, async () => {
    const lists = await Promise.all(hubsAt(hub.url).map((url) => call(url, 'list_agents', {}, { session })));
    return lists.every(({ agents }) =>
      agents.some(({ id, presence }: Fields) => id === agent && presence === 'waiting'),
    );
  });

const recipient = (id: string, presence: string, woken: boolean) => ({ id, state: 'pending', presence, woken });

describe('a recipient is woken', () => {
  it.each([
    ['by a mention', { content: '@ben look' }, {}, true],
    ['not by a plain post', { content: 'look' }, {}, false],
    ['by a plain post, waiting for all', { content: 'look' }, { for: 'all' }, true],
    ['not by a mention, waiting for another', { content: '@ben look' }, { from: 'cyn' }, false],
    ['by an interrupt, waiting for another', { content: 'look', action: 'interrupt' }, { from: 'cyn' }, true],
    ['by what is urgent', { content: 'look', urgent: true }, {}, true],
  ])('%s', async (title, message, wait, woken) => {
    const { open, send, whileBenWaits } = await team(`woken-${title.replaceAll(/\W+/g, '-')}`, ['ann', 'ben', 'cyn']);
    const threadId = await open();
    const sent = await whileBenWaits(wait, () => send({ threadId, ...message }));
    const others = [recipient('ben', 'waiting', woken), recipient('cyn', 'active', false)];
    expect(sent.recipients).toEqual(others);
  });

  it('by an answer, waiting for responses', async () => {
    const session = 'asking';
    const { by } = await team(session, ['ann', 'ben', 'cyn']);
    const ask = { title: 'Ready?', participants: ['ben', 'cyn'], initial_message: 'Well?', wait_for_responses: 2 };
    const asking = by('ann', 'create_critical_thread', { ...ask, timeout_ms: 600_000 });
    await parkedAt(hub, 1);
    const threadId = await eventually('the thread is there', async () => {
      return (await by('ben', 'list_threads', {})).threads[0]?.threadId as string | undefined;
    });
    const answer = (agent: string) => by(agent, 'send_message', { threadId, content: 'Yes.' });
    for (const agent of ['ben', 'cyn']) {
      const { recipients } = await answer(agent);
      expect(recipients[0]).toEqual(recipient('ann', 'active', true));
    }
    expect(await asking).toMatchObject({ complete: true });
    expect((await answer('ben')).recipients).toContainEqual(recipient('ann', 'active', false));
  });

  it('not when it does not wait, or is away', async () => {
    const { by, send } = await team('away', ['ann', 'ben']);
    const input = { target: 'ben', content: 'x' };
    expect((await send(input)).recipients).toEqual([recipient('ben', 'active', false)]);
    clock.advance(3_600_000);
    await by('ann', 'list_groups', {});
    const later = await send(input);
    expect(later.recipients).toEqual([recipient('ben', 'offline', false)]);
    expect(later.warnings).toEqual(['offline, no wake route, will get it on return: ben']);
  });

  it('not as a person: who reads in the app needs no wake route', async () => {
    for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId });
    const { threadId } = await call(
      hub.url,
      'create_thread',
      { title: 'T', participants: ['ben', 'me'] },
      { agent: 'ann' },
    );
    clock.advance(3_600_000);
    const say = (input: Fields) =>
      call(hub.url, 'send_message', { content: '@ben @me look', ...input }, { agent: 'ann' });
    const sent = await say({ target: 'me' });
    expect(sent.recipients).toEqual([recipient('me', 'offline', false)]);
    expect(sent.warnings).toEqual([]);
    expect((await say({ threadId })).warnings).toEqual(['offline, no wake route, will get it on return: ben']);
  });

  it('not by a retry of what was sent before', async () => {
    const { send, whileBenWaits } = await team('retry', ['ann', 'ben']);
    const input = { target: 'ben', content: 'x', idempotency_key: 'k' };
    await send(input);
    const again = await whileBenWaits({ from: 'cyn' }, () => send(input));
    expect(again).toMatchObject({ duplicate: true, recipients: [{ id: 'ben', woken: false }], warnings: [] });
  });
});

describe('a message that wakes no one says so', () => {
  const plain = 'a plain post wakes no one: write @id, or give mentions, to wake a member';

  it('as a plain post, waiting for all or not', async () => {
    const { open, send, whileBenWaits } = await team('plain', ['ann', 'ben', 'cyn']);
    const threadId = await open();
    expect((await send({ threadId, content: 'x' })).warnings).toEqual([plain]);
    expect((await send({ threadId, content: 'x', mentions: ['cyn'] })).warnings).toEqual([]);
    expect((await send({ target: 'ben', content: 'x' })).warnings).toEqual([]);
    const heard = await whileBenWaits({ for: 'all', threadId }, () => send({ threadId, content: 'x' }));
    expect(heard.warnings).toEqual([]);
  });

  it('as one to an agent that muted it', async () => {
    const { by, send } = await team('muted', ['ann', 'ben']);
    await by('ben', 'set_notify_prefs', { quiet: true });
    expect((await send({ target: 'ben', content: 'x' })).warnings).toEqual([
      'wakes no one: muted by ben; urgent passes mutes',
    ]);
    expect((await send({ target: 'ben', content: 'x', urgent: true })).warnings).toEqual([]);
  });
});

describe('names in a text', () => {
  it('that no member has are named, with the nearest id', async () => {
    const { open, by, send } = await team('names', ['ann', 'ben', 'cyn']);
    const threadId = await open();
    await call(hub.url, 'register_agent', { agentId: 'dan' }, { session: 'names' });
    const content = '@bne and @Cyn, see @dan, @zebediah, `@code` and @types/node. @ann';
    const { warnings, mentions } = await send({ threadId, content });
    expect(warnings.slice(0, 2)).toEqual([
      'not in the thread, so not mentioned: dan; add_participant adds them',
      'no member has the id: @bne (nearest: ben), @Cyn (nearest: cyn), @zebediah',
    ]);
    expect(mentions).toEqual(['ann']);
    const dropped = await send({ threadId, content: '@bne', mentions: ['@bne', 'ben'] });
    expect(dropped).toMatchObject({ mentions: ['ben'], droppedMentions: ['bne'] });
    expect(dropped.warnings).toEqual(['not in the thread, so not mentioned: bne (nearest: ben)']);
    // A message to one agent may speak of anyone; one to a group is for its members.
    expect((await send({ target: 'ben', content: '@dan?' })).warnings).toEqual([]);
    expect((await send({ target: 'ben', content: 'x', mentions: ['dan'] })).warnings).toEqual([
      'not a recipient, so not mentioned: dan',
    ]);
    // A reply outside of any thread is a message to one agent too, also if it inherits a label.
    for (const label of [{}, { threadId: 'plans' }]) {
      const { messageId } = await by('ben', 'send_message', { target: 'ann', content: 'x', ...label });
      const reply = { replyTo: messageId, content: 'I asked @dan and @nobody.' };
      expect((await send(reply)).warnings).toEqual([]);
      expect((await send({ ...reply, mentions: ['dan'] })).warnings).toEqual([
        'not a recipient, so not mentioned: dan',
      ]);
    }
    await by('ann', 'set_group', { name: 'team', members: ['ben'] });
    expect((await send({ target: 'team', content: '@bne?' })).warnings).toEqual([
      'no member has the id: @bne (nearest: ben)',
    ]);
    expect((await send({ threadId, content: '@bne', parseMentions: false })).warnings).toHaveLength(1);
  });

  it('are not compared with ids that differ in half of their letters', async () => {
    const { open, send } = await team('short-names', ['ann', 'ben', 'longer']);
    const threadId = await open();
    const { warnings } = await send({ threadId, content: '@dun @nben @lonegr' });
    expect(warnings[0]).toBe('no member has the id: @dun, @nben (nearest: ben), @lonegr (nearest: longer)');
  });

  it('are looked up in a moment, also if there are very many', async () => {
    const { open, send } = await team('many-names', ['ann', 'ben']);
    const threadId = await open();
    const content = Array.from({ length: 40_000 }, (_, index) => `@${index.toString(36)}x`).join(' ');
    const startedAt = performance.now();
    const { warnings } = await send({ threadId, content });
    // Comparing each with the whole text took 20 s, in which the hub answered no one.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(warnings[0]).toMatch(/^no member has the id: @0x.* and 39990 more$/);
  });

  it.each(['@all in the text', 'all as a mention'])('%s means every member of the thread', async (form) => {
    const { open, by, send } = await team(form.startsWith('@') ? 'all-in-text' : 'all-given', ['ann', 'ben', 'cyn']);
    const threadId = await open();
    // Gone for longer than the group `all` remembers.
    clock.advance(40 * 86_400_000);
    await by('ben', 'list_groups', {});
    const sent = await send({
      threadId,
      ...(form.startsWith('@') ? { content: '@all look' } : { content: 'x', mentions: 'all' }),
    });
    expect(sent).toMatchObject({ mentions: ['all'], droppedMentions: [] });
    for (const id of ['ben', 'cyn']) {
      const { messages } = await by(id, 'wait_for_mentions', { timeoutMs: 0 });
      expect(messages.at(-1)).toMatchObject({ why: 'mention', mentions: ['all'], threadId });
    }
  });
});

describe('the text for a model', () => {
  it.each(generations)('names the woken and the others, through client %s', async (generation) => {
    const session = `text-${generation.replaceAll(' ', '-')}`;
    const { open, whileBenWaits, by } = await team(session, ['ann', 'ben', 'cyn']);
    const threadId = await open();
    const ann = await connectMcp(generation, `${hub.url}/mcp?agent=ann&session=${session}`);
    const sent = await whileBenWaits({}, () => ann.call('send_message', { threadId, content: '@ben look, @cny' }));
    expect(sent.text).toBe(
      [
        'Message sent successfully:',
        `ID: ${sent.structured.messageId}`,
        `Thread: ${threadId}`,
        'Sender: ann',
        'Content: @ben look, @cny',
        'Mentions: ben',
        'Woken: ben',
        'Not woken, reads later: cyn (active)',
        'Note: no member has the id: @cny (nearest: cyn)',
      ].join('\n'),
    );
    await by('ann', 'set_group', { name: 'crew', members: ['ben', 'cyn'] });
    const toGroup = await ann.call('send_message', { to: '@crew', text: 'Hello.' });
    expect(toGroup.structured).toMatchObject({ target: 'crew', group: true });
    expect(toGroup.text).toMatch(
      /\nTarget: crew \(group\)\nContent: Hello\.\nNot woken, reads later: ben \(active\), cyn \(active\)/,
    );
    const toOne = await ann.call('send_message', { to: 'ben', text: 'Hello.' });
    expect(toOne.structured).toMatchObject({ target: 'ben' });
    expect(toOne.structured).not.toHaveProperty('group');
    expect(toOne.text).toContain('\nTarget: ben\n');
    await ann.close();
  });

  it('counts those it does not name', async () => {
    const ids = Array.from({ length: 600 }, (_, index) => `agent-${index}`);
    const session = 'many';
    await call(hub.url, 'set_group', { name: 'crowd', members: ids }, { session });
    for (const agentId of ids) await call(hub.url, 'register_agent', { agentId }, { session });
    const ann = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ann&session=${session}`);
    const { text } = await ann.call('send_message', { target: 'crowd', content: 'x' });
    expect(text).toMatch(/\nNot woken, reads later: agent-\d+ \(active\), .* and 590 more\n/);
    expect(text.length).toBeLessThan(500);
    await ann.close();
  });

  it('is one line for a person', async () => {
    const { whileBenWaits } = await team('person', ['ann', 'ben']);
    const args = ['send', '--as', 'ann', '--to', '@ben', '--session', 'person', '--url', hub.url, 'Hello.'];
    const { stdout } = await whileBenWaits({}, () => runCli(args));
    expect(stdout).toMatch(/^Sent \w+ to ben \(waiting, woken\)\n$/);
  });
});
