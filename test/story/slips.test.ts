// Harmless slips in a call are taken as what they mean, through every door; what may mean two things is refused.
import { beforeAll, describe, expect, it } from 'vitest';
import { operationList } from '../../dist/contract/index.js';
import { inputSchemaOf } from '../../dist/contract/input/input-schema.js';
import { respellInput } from '../../dist/contract/input/spelling.js';
import { connectStdio } from '../bridge/stdio-clients.js';
import { runCli } from '../cli/run-cli.js';
import { call, post } from '../support/http-call.js';
import { connectMcp } from '../support/mcp-clients.js';
import { parkedAt } from '../support/metrics.js';
import { useHub } from '../support/use-hub.js';

type Fields = Record<string, unknown>;

const hub = useHub();

/** How ann of this session calls through a door: the structured result, or the error object. */
type Door = (session: string) => Promise<{
  call(operation: string, input: Fields): Promise<Fields>;
  close(): Promise<void>;
}>;

async function throughMcp(connecting: ReturnType<typeof connectMcp>): ReturnType<Door> {
  const client = await connecting;
  return {
    async call(operation, input) {
      const { structured, meta } = await client.call(operation, input);
      return structured ?? meta['coterie/error'];
    },
    close: () => client.close(),
  };
}

const doors: Record<string, Door> = {
  HTTP: async (session) => ({
    async call(operation, input) {
      const { body } = await post(hub.url, operation, input, { agent: '@ann', session });
      return body.error ?? body;
    },
    async close() {},
  }),
  'MCP v1': (session) => throughMcp(connectMcp('v1', `${hub.url}/mcp?agent=@ann&session=${session}`)),
  'MCP v2': (session) => throughMcp(connectMcp('v2 2026', `${hub.url}/mcp?agent=ann&session=${session}`)),
  stdio: (session) => throughMcp(connectStdio('v2 2025', ['--url', hub.url, '--agent', 'ann', '--session', session])),
};

describe.each(Object.entries(doors))('through %s', (name, open) => {
  const session = `slips-${name.replaceAll(' ', '-')}`;

  it('ids with an @, lists in other forms, numbers as text, null and other names are taken', async () => {
    for (const agentId of ['ann', 'ben', 'cyn']) await call(hub.url, 'register_agent', { agentId }, { session });
    const ann = await open(session);
    const lists = ['@ben', 'ben, @cyn', '["ben","@cyn"]', ['@ben', 'cyn']];
    for (const participants of lists) {
      const made = await ann.call('create_thread', { creator_id: '@ann', title: 'T', participants, text: 'Hello.' });
      expect(made).toMatchObject({ success: true, unknownParticipants: [] });
      expect(made['participants']).toEqual(participants === '@ben' ? ['ann', 'ben'] : ['ann', 'ben', 'cyn']);
    }
    const sent = await ann.call('send_message', {
      to: '@ben',
      body: 'Hello.',
      ttl: '600',
      urgent: 'true',
      threadId: null,
      mentions: null,
      reply_to: null,
      message_type: null,
      metadata: null,
    });
    expect(sent).toMatchObject({ threadId: null, recipients: [{ id: 'ben' }] });
    const { messages } = await call(hub.url, 'get_messages', {}, { agent: 'ben', session });
    expect(messages.at(-1)).toMatchObject({
      content: [{ text: 'Hello.' }],
      urgent: true,
      expiresAt: expect.any(String),
    });
    const same = { recipient: 'ben', target: 'ben', text: 'Both.', message: 'Both.' };
    expect(await ann.call('send_message', same)).toMatchObject({ success: true });
    expect(await ann.call('list_threads', { limit: '2', participant: '@ben' })).toMatchObject({ threads: [{}, {}] });
    expect(await ann.call('get_sent_messages', { recipient: '@ben', limit: '2' })).toMatchObject({
      messages: [{}, {}],
    });
    await ann.close();
  });

  it('what may mean two things is refused', async () => {
    const ann = await open(session);
    const refused = async (operation: string, input: Fields) => (await ann.call(operation, input))['message'];
    const differing = { target: 'ben', text: 'one', message: 'two' };
    expect(await refused('send_message', differing)).toMatch(/'text' and 'message' are the same field/);
    const words = { title: 'T', participants: 'ben and cyn, please' };
    expect(await refused('create_thread', words)).toMatch(/participants: must be a list/);
    expect(await refused('set_group', { name: 'team', members: '' })).toMatch(/members: must be a list/);
    expect(await refused('send_message', { target: 'ben', message: null })).toMatch(/content: is required/);
    expect(await refused('list_threads', { limit: 'two' })).toMatch(/limit: must be a/);
    expect(await refused('send_message', { target: '@', message: 'x' })).toMatch(/target: must be/);
    await ann.close();
  });

  it('a thread is found by its title, if only one open thread of the caller has it', async () => {
    const ann = await open(session);
    const create = async (title: string) =>
      (await ann.call('create_thread', { title, participants: ['ben'] }))['threadId'] as string;
    const plan = await create('The plan, for Q4');
    const byTitle = { threadId: 'The plan, for Q4' };
    const post1 = { ...byTitle, content: 'x', idempotency_key: 'once' };
    const first = await ann.call('send_message', post1);
    expect(first).toMatchObject({ threadId: plan, recipients: [{ id: 'ben' }] });
    expect(await ann.call('get_thread', byTitle)).toMatchObject({
      threadId: plan,
      messages: [{}, { content: [{ text: 'x' }] }],
    });
    expect(await ann.call('join_thread', byTitle)).toMatchObject({ threadId: plan, result: 'already_participant' });
    // With a target it is a label, as for any thread that no one created.
    const labelled = { ...byTitle, target: 'ben', content: 'x' };
    expect(await ann.call('send_message', labelled)).toMatchObject({ threadId: 'The plan, for Q4' });
    // Not ann's, closed, or two of a title: nothing is guessed.
    const other = { title: 'Not hers', participants: ['cyn'] };
    await call(hub.url, 'create_thread', other, { agent: 'ben', session });
    expect((await ann.call('get_thread', { threadId: 'Not hers' }))['message']).toMatch(/No thread 'Not hers'/);
    const joining = await ann.call('join_thread', { threadId: 'Not hers' });
    expect(joining['hint']).toMatch(/list_threads .*only among the open threads you are in/);
    expect(await ann.call('close_thread', { ...byTitle, text: 'Done.' })).toMatchObject({ threadId: plan });
    expect((await ann.call('send_message', { ...byTitle, content: 'y' }))['message']).toMatch(/No thread/);
    // A retry is one, also after that.
    expect(await ann.call('send_message', post1)).toMatchObject({ messageId: first['messageId'], duplicate: true });
    const twice = [await create('Twice'), await create('Twice')].toSorted();
    for (const operation of ['get_thread', 'send_message', 'set_notify_prefs']) {
      const input = operation === 'set_notify_prefs' ? { muteThreads: ['Twice'] } : { threadId: 'Twice' };
      const refused = await ann.call(operation, operation === 'send_message' ? { ...input, content: 'x' } : input);
      expect(refused).toMatchObject({
        code: 'THREAD_UNKNOWN',
        message: "You are in 2 open threads called 'Twice'.",
        hint: `Give one of their ids as threadId: ${twice.join(', ')}.`,
        details: { threadIds: twice },
      });
    }
    await ann.close();
  });
});

it('the terminal passes them on', async () => {
  const session = 'slips-cli';
  await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
  const run = (...args: string[]) => runCli([...args, '--as', '@ann', '--session', session, '--url', hub.url]);
  const input = { title: 'T', participants: '@ben', private: null };
  const made = await run('call', 'create_thread', '--json', JSON.stringify(input));
  expect(JSON.parse(made.stdout)).toMatchObject({ participants: ['ann', 'ben'] });
  expect((await run('send', '--thread', 'T', '--mention', '@ben', 'Hello.')).stdout).toMatch(/^Sent \w+ to ben /);
});

it('a wait for responses by title is woken by an answer', async () => {
  const session = 'by-title';
  await call(hub.url, 'register_agent', { agentId: 'ben' }, { session });
  const ask = { title: 'Ready?', participants: ['ben'], initial_message: 'Well?', wait_for_responses: 0 };
  const { threadId } = await call(hub.url, 'create_critical_thread', ask, { agent: 'ann', session });
  const input = { threadId: 'Ready?', timeout_ms: 600_000 };
  const waiting = call(hub.url, 'wait_for_responses', input, { agent: 'ann', session });
  await call(hub.url, 'send_message', { threadId: 'Ready?', content: 'Yes.' }, { agent: 'ben', session });
  expect(await waiting).toMatchObject({ threadId, complete: true, responses: [{ sender: 'ben' }] });
});

describe('a filter by a title', () => {
  const session = 'filter-by-title';
  const by = (agent: string, operation: string, input: Fields) => call(hub.url, operation, input, { agent, session });
  const post1 = (threadId: string, content: string) =>
    by('ann', 'send_message', { threadId, content: `@ben ${content}` });
  const texts = ({ messages }: { messages: { content: { text: string }[] }[] }) =>
    messages.map(({ content }) => content[0]?.text);
  const noise = { threadId: 'noise' };

  beforeAll(async () => {
    for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId }, { session });
  });

  it('lets pass what is in threads of that title, and what has it as label', async () => {
    const create = async (title: string): Promise<string> =>
      (await by('ann', 'create_thread', { title, participants: ['ben'] })).threadId;
    const [first, second, other] = [await create('noise'), await create('noise'), await create('other')];
    await by('ben', 'get_messages', {});
    const waiting = by('ben', 'wait_for_mentions', { ...noise, timeoutMs: 600_000 });
    await parkedAt(hub, 1);
    await post1(other, 'elsewhere');
    await post1(first, 'one');
    expect(texts(await waiting)).toEqual(['@ben one']);
    await post1(second, 'two');
    await by('ann', 'send_message', { ...noise, target: 'ben', content: 'labelled' });
    expect(texts(await by('ben', 'get_messages', { ...noise, markAsRead: false }))).toEqual(['@ben two', 'labelled']);
    expect(texts(await by('ben', 'get_messages', noise))).toEqual(['@ben two', 'labelled']);
    expect(texts(await by('ben', 'get_messages', {}))).toEqual(['@ben elsewhere']);
  });

  it('in preferences is kept as the id of its thread, and has its effect', async () => {
    const { threadId } = await by('ann', 'create_thread', { title: 'a,b', participants: ['ben'] });
    const set = (input: Fields) => by('ben', 'set_notify_prefs', input);
    expect(await set({ muteThreads: 'a,b', followThreads: ['a label'] })).toMatchObject({
      prefs: { muteThreads: [threadId], followThreads: ['a label'] },
    });
    const { warnings } = await by('ann', 'send_message', { threadId, content: '@ben' });
    expect(warnings).toContain('wakes no one: muted by ben; urgent passes mutes');
    expect(await set({ muteThreads: [], followThreads: ['a,b', threadId] })).toMatchObject({
      prefs: { muteThreads: [], followThreads: [threadId] },
    });
  });
});

it('a reply to a labelled message goes to its author, also if a thread has the label as title', async () => {
  const session = 'label-and-title';
  for (const agentId of ['ann', 'ben', 'cyn']) await call(hub.url, 'register_agent', { agentId }, { session });
  await call(hub.url, 'create_thread', { title: 'plan', participants: ['ann', 'cyn'] }, { agent: 'ben', session });
  const aside = { target: 'ben', threadId: 'plan', content: 'Between us.' };
  const { messageId } = await call(hub.url, 'send_message', aside, { agent: 'ann', session });
  const reply = { reply_to: messageId, content: 'Yes.' };
  expect(await call(hub.url, 'send_message', reply, { agent: 'ben', session })).toMatchObject({
    threadId: 'plan',
    recipients: [{ id: 'ann' }],
  });
});

/** Every field of every operation, as a client is shown it. */
const fields = operationList.flatMap((operation) =>
  Object.entries(inputSchemaOf(operation).properties).map(([shown, schema]) => ({ operation, shown, schema })),
);

describe('in every operation', () => {
  const taken = (operation: (typeof operationList)[number], input: Fields) => respellInput(operation, input).fields;

  it.each(operationList.map((operation) => [operation.name, operation] as const))(
    'null in %s means not given',
    (_, operation) => {
      const nulls = Object.fromEntries(Object.keys(inputSchemaOf(operation).properties).map((name) => [name, null]));
      expect(taken(operation, nulls)).toEqual({});
      // Else null would have a meaning of its own there.
      for (const schema of Object.values(operation.input.shape)) expect(schema.safeParse(null).success).toBe(false);
    },
  );

  it('a number or a switch as text is the same', () => {
    const numbers = fields.filter(({ schema }) =>
      ['integer', 'number', 'boolean'].some((type) => type === schema['type']),
    );
    expect(numbers.length).toBeGreaterThan(20);
    for (const { operation, shown, schema } of numbers) {
      const value = schema['type'] === 'boolean' ? true : 7;
      expect(taken(operation, { [shown]: String(value) })).toEqual(taken(operation, { [shown]: value }));
    }
  });

  it('a list as one entry, with commas or as JSON is the same', () => {
    const lists = fields.filter(({ schema }) => schema['type'] === 'array');
    expect(lists.length).toBeGreaterThan(8);
    for (const { operation, shown } of lists) {
      // A title of a thread may have commas.
      const ids = shown.endsWith('Threads') ? ['t000000000001', 't000000000002'] : ['one', 'two'];
      const several = taken(operation, { [shown]: ids });
      expect(taken(operation, { [shown]: ids.join(', ') })).toEqual(several);
      expect(taken(operation, { [shown]: ` ${JSON.stringify(ids)}` })).toEqual(several);
      expect(taken(operation, { [shown]: 'one' })).toEqual(taken(operation, { [shown]: ['one'] }));
    }
  });

  it('a name that is nearly right is answered with one that the schema shows', () => {
    for (const operation of operationList) {
      const shown = Object.keys(inputSchemaOf(operation).properties);
      const known = Object.values(operation.synonyms ?? {}).flatMap((names) => names ?? []);
      for (const name of [...shown, ...known]) {
        const refusal = (() => {
          try {
            return void respellInput(operation, { [`${name}zz`]: 'x' });
          } catch (error) {
            return error as { details: Fields };
          }
        })();
        expect(shown).toContain(refusal?.details['nearest']);
      }
    }
  });

  it('no other name stands for two fields', () => {
    for (const { input, synonyms = {}, name } of operationList) {
      const names = [...Object.keys(input.shape), ...Object.values(synonyms).flatMap((others) => others ?? [])];
      expect([name, names]).toEqual([name, [...new Set(names)]]);
    }
  });
});
