// coterie agents, groups, dead-letters, threads, thread, search, outbox and top: what people look at.
import { describe, expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { json, output, runCli } from './run-cli.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

const at = (session: string) => ['--data', hub.data, '--session', session];
const as = (agent: string, session: string) => ({ agent, session });

describe('coterie agents', () => {
  it('says how to begin when there is no one', async () => {
    expect(await output(['agents', ...at('no-one')])).toMatch(
      /^No agents yet\.[^]*coterie call register_agent --as ann/,
    );
  });

  it('lists who is here in aligned columns, and leaves out those that say nothing', async () => {
    const agentName = '分析者';
    await call(hub.url, 'register_agent', { agentName, description: 'reads\nfigures' }, as('data-analyzer', 'agents'));
    await call(hub.url, 'send_message', { target: 'data-analyzer', message: 'hi' }, as('ann', 'agents'));
    const [heading = '', ann = '', analyzer = ''] = (await output(['agents', ...at('agents')])).split('\n');
    expect(heading).toMatch(/^AGENT +NAME +PRESENCE +SEEN +UNREAD +DESCRIPTION$/);
    expect(ann).toMatch(/^ann {2,}active +\d+s$/);
    expect(analyzer).toMatch(/^data-analyzer {2}分析者 {2}active +\d+s +1 {2}reads figures$/);
    // Three wide characters take six columns.
    expect(analyzer.indexOf('active') + 3).toBe(heading.indexOf('PRESENCE'));
    expect(await output(['agents', ...at('agents'), '--no-include-details'])).toMatch(
      /^AGENT +NAME +PRESENCE +DESCRIPTION\n/,
    );
  });

  it('shows a name that it registers as a sender sees it', async () => {
    expect(await output(['agents', ...at('agents-new'), '--as', 'ben'])).toMatch(/^ben +active/m);
    const sent = await call(hub.url, 'send_message', { target: 'ben', message: 'hi' }, as('ann', 'agents-new'));
    expect(sent.recipients).toMatchObject([{ id: 'ben', presence: 'active' }]);
  });

  it('prints the structured result with --json', async () => {
    await call(hub.url, 'register_agent', { capabilities: ['review'] }, as('ann', 'agents-json'));
    await call(hub.url, 'register_agent', {}, as('ben', 'agents-json'));
    const { agents } = await json(['agents', ...at('agents-json'), '--capability', 'review']);
    expect(agents).toMatchObject([{ id: 'ann', presence: 'active', unread: 0 }]);
  });
});

describe('coterie groups', () => {
  it('lists who receives what is sent to them, and who is not registered', async () => {
    for (const agent of ['ann', 'ben']) await call(hub.url, 'register_agent', {}, as(agent, 'groups'));
    expect(await output(['groups', ...at('groups')])).toBe(
      'GROUP         MEMBERS\nall           ann, ben\nbuilders\ncouncil\nintelligence\n',
    );
    const made = JSON.parse(
      await output(['call', 'set_group', ...at('groups'), '--name', 'builders', '--members', 'ben,zed']),
    );
    expect(made).toMatchObject({ success: true, unknownMembers: ['zed'] });
    expect(await output(['groups', ...at('groups')])).toMatch(
      /^GROUP +MEMBERS +NOT REGISTERED\n[^]*builders +ben +zed\n/,
    );
    const { groups } = await json(['groups', ...at('groups')]);
    expect(groups).toContainEqual({ name: 'builders', members: ['ben', 'zed'], unknownMembers: ['zed'] });
  });

  it('are where a refusal of an empty one leads to', async () => {
    const { exitCode, stderr } = await runCli(['send', '--as', 'ann', '--to', 'council', 'x', ...at('groups')]);
    expect(exitCode).toBe(4);
    expect(stderr).toMatch(/^GROUP_EMPTY: .*'council'[^]*`coterie groups`[^]*`coterie call set_group`/);
  });
});

describe('coterie dead-letters', () => {
  const lost = (text: string) => runCli(['send', '--as', 'ann', '--to', 'ben', text, ...at('dead')]);

  it('says so when there are none', async () => {
    expect(await output(['dead-letters', ...at('dead')])).toBe('No dead letters.\n');
  });

  it('lists what was not delivered, newest first, and where there is more', async () => {
    await lost('one\nline');
    await lost('two');
    const [heading, newest, oldest, ...rest] = (await output(['dead-letters', ...at('dead')])).split('\n');
    expect(heading).toMatch(/^ID +ENDED +REASON +MESSAGE +FROM +TO +TEXT$/);
    expect(newest).toMatch(/^d\d+ +\d\d:\d\d:\d\d +TARGET_UNKNOWN +ma2\w+ +ann +ben +two$/);
    expect(oldest).toMatch(/^d\d+ +\d\d:\d\d:\d\d +TARGET_UNKNOWN +ma1\w+ +ann +ben +one line$/);
    expect(rest).toEqual(['']);
    const page = await output(['dead-letters', ...at('dead'), '--limit', '1']);
    const next = /\nMore: coterie dead-letters --cursor (\S+)\n$/.exec(page)?.[1] ?? '';
    const { deadLetters } = await json(['dead-letters', ...at('dead'), '--cursor', next]);
    expect(deadLetters).toMatchObject([{ recipient: 'ben', message: { content: [{ text: 'one\nline' }] } }]);
  });

  it('replays one when its recipient is there, and discards another', async () => {
    const { deadLetters } = await json(['dead-letters', ...at('dead')]);
    const [second, first] = deadLetters.map(({ id }: { id: string }) => id);
    const early = await runCli(['dead-letters', 'replay', first, ...at('dead')]);
    expect(early.exitCode).toBe(4);
    expect(early.stderr).toMatch(/^AGENT_UNKNOWN: No agent 'ben'[^]*`coterie dead-letters discard`/);
    await call(hub.url, 'register_agent', {}, as('ben', 'dead'));
    expect(await output(['dead-letters', 'replay', first, ...at('dead')])).toMatch(
      new RegExp(`^Replayed ${first}: ma1\\w+ is pending for ben\n$`),
    );
    expect(await output(['dead-letters', 'discard', second, ...at('dead')])).toMatch(
      new RegExp(`^Discarded ${second} \\(ma2\\w+ to ben\\)\n$`),
    );
    expect(await output(['inbox', '--as', 'ben', ...at('dead')])).toContain('one\n  line');
    const again = await runCli(['dead-letters', 'replay', first, ...at('dead')]);
    expect(again.stderr).toMatch(/^DEAD_LETTER_UNKNOWN: [^]*`coterie dead-letters`/);
  });

  it.each([
    ['an action there is not', ['replai', 'd1'], /'replai'[^]*mean replay/],
    ['no id', ['replay'], /replay needs the id[^]*coterie dead-letters/],
    ['a flag of the list', ['discard', 'd1', '--limit', '5'], /--limit is for the list only/],
  ])('refuses %s', async (_, args, says) => {
    const { exitCode, stderr } = await runCli(['dead-letters', ...args, ...at('dead')]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(says);
  });
});

describe('coterie threads and thread', () => {
  it('say how to begin when there is none', async () => {
    expect(await output(['threads', ...at('none')])).toMatch(/^No threads\.[^]*coterie thread create .* --as ann/);
  });

  it('list the conversations, and show one in order', async () => {
    await call(hub.url, 'register_agent', {}, as('ben', 'talk'));
    await call(hub.url, 'set_notify_prefs', { muteKinds: ['created'] }, as('ben', 'talk'));
    const { threadId } = await call(
      hub.url,
      'create_thread',
      { title: 'Q4 report', participants: ['ben'] },
      as('ann', 'talk'),
    );
    const empty = await output(['thread', threadId, ...at('talk')]);
    expect(empty).toMatch(
      new RegExp(`^Q4 report {2}${threadId} {2}open\nann, ben; created by ann\n\n.*--thread ${threadId} `),
    );
    await call(hub.url, 'send_message', { threadId, message: 'first line\nsecond line' }, as('ann', 'talk'));
    await call(hub.url, 'send_message', { threadId, message: 'an answer', message_type: 'STATUS' }, as('ben', 'talk'));
    expect(await output(['threads', ...at('talk'), '--as', 'ben'])).toBe(
      `THREAD         TITLE      STATUS  MEMBERS   UNREAD\n${threadId}  Q4 report  open    ann, ben       1\n`,
    );
    const lines = (await output(['thread', threadId, ...at('talk')])).trimEnd().split('\n').slice(3);
    expect(lines).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d {2}ma1\w+ +ann {2}first line$/),
      expect.stringMatching(/^ {22,}second line$/),
      expect.stringMatching(/^\d\d:\d\d:\d\d {2}ma2\w+ +ben {2}\[STATUS\] an answer$/),
    ]);
    const { messages } = await json(['thread', '--thread-id', threadId, ...at('talk'), '--after', '1']);
    expect(messages).toMatchObject([{ seq: 2, sender: 'ben' }]);
  });

  it('say where there is more, on either side', async () => {
    const { threadId } = await call(
      hub.url,
      'create_thread',
      { title: 'Long', initial_message: '1' },
      as('ann', 'long'),
    );
    for (const message of ['2', '3']) await call(hub.url, 'send_message', { threadId, message }, as('ann', 'long'));
    const last = await output(['thread', threadId, ...at('long'), '--limit', '1']);
    expect(last).toMatch(/\nMore: coterie thread t\d+ --before ma3\w+\n.* 3\n$/);
    const first = await output(['thread', threadId, ...at('long'), '--limit', '1', '--after', '0']);
    expect(first).toMatch(/ 1\nMore: coterie thread t\d+ --after ma1\w+\n$/);
  });

  it('find threads by status and member', async () => {
    await call(hub.url, 'register_agent', {}, as('ben', 'find'));
    await call(hub.url, 'create_thread', { title: 'with ben', participants: ['ben'] }, as('ann', 'find'));
    const { threadId } = await call(hub.url, 'create_thread', { title: 'alone' }, as('ann', 'find'));
    await call(hub.url, 'close_thread', { threadId }, as('ann', 'find'));
    expect((await json(['threads', ...at('find'), '--with', 'ben'])).threads).toMatchObject([{ title: 'with ben' }]);
    expect((await json(['threads', ...at('find'), '--status', 'CLOSED'])).threads).toMatchObject([{ title: 'alone' }]);
  });
});

describe('coterie thread with a verb', () => {
  const ann = () => ['--as', 'ann', ...at('verbs')];
  const idIn = (text: string) => /t\d{12}/.exec(text)?.[0] ?? '';

  it('creates a thread, joins and leaves it, answers in it and closes it', async () => {
    await call(hub.url, 'register_agent', {}, as('ben', 'verbs'));
    const created = await output([
      'thread',
      'create',
      'Release 1.4',
      ...ann(),
      '--with',
      'ben,zoe',
      '--message',
      '@ben go',
    ]);
    const id = idIn(created);
    expect(created).toBe(
      `Created ${id} “Release 1.4” with ben\nNote: not registered, so not added: zoe\nTalk live: coterie chat ${id} --as ann\n`,
    );
    const carl = ['--as', 'carl', ...at('verbs')];
    expect(await output(['thread', 'join', id, ...carl])).toBe(`Joined ${id} “Release 1.4” (ann, ben, carl)\n`);
    expect(await output(['thread', ...carl, 'join', id])).toBe(
      `You are already in ${id} “Release 1.4” (ann, ben, carl)\n`,
    );
    expect(await output(['thread', 'leave', id, ...carl])).toBe(`Left ${id} “Release 1.4” (ann, ben)\n`);
    const replied = await output(['thread', 'reply', id, '--as', 'ben', ...at('verbs'), '-'], { stdin: 'on it\n' });
    expect(replied).toMatch(/^Sent \w+ to ann[^]*\nAnswers \w+ of ann: @ben go\n$/);
    const { messages } = await call(hub.url, 'get_messages', { threadId: id }, as('ann', 'verbs'));
    expect(messages.at(-1)).toMatchObject({ sender: 'ben', why: 'reply', content: [{ text: 'on it' }] });
    const closed = await json(['thread', 'close', id, ...ann(), '--summary', 'Shipped.']);
    expect(closed).toMatchObject({ result: 'closed', status: 'closed', threadId: id });
    expect(await output(['thread', id, ...at('verbs')])).toMatch(/^Release 1\.4 .* closed\n.*\nSummary: Shipped\.\n/);
  });

  it('answers the message that --reply-to names', async () => {
    const id = idIn(await output(['thread', 'create', 'Named', ...ann(), '--with', 'ben', '--message', 'first']));
    const { messages } = await call(hub.url, 'get_thread', { threadId: id }, as('ann', 'verbs'));
    const first = messages.at(-1).id;
    const ben = ['--as', 'ben', ...at('verbs')];
    const sent = await json(['thread', 'reply', id, ...ben, '--reply-to', first, 'yes']);
    expect(sent).toMatchObject({ success: true, threadId: id });
    // A reply needs neither a thread nor a target.
    expect(await output(['send', ...ben, '--reply-to', first, 'again'])).toMatch(new RegExp(`in ${id}\n`));
  });

  it.each([
    ['a title', ['create'], /^USAGE: thread create needs a title/],
    ['an id to join', ['join'], /^USAGE: thread join needs the id of a thread[^]*coterie threads/],
    ['an id to answer in', ['reply', '--json'], /^USAGE: thread reply needs the id of a thread/],
    ['anyone to answer', ['reply', 'ALONE', 'hello'], /^MESSAGE_UNKNOWN: No one else[^]*coterie send --thread t/],
    [
      'flags of its own',
      ['close', 'ALONE', '--sumary', 'x'],
      /^USAGE: --sumary is not a flag of coterie thread close[^]*--summary/,
    ],
  ])('refuses to go without %s', async (_, args, says) => {
    const alone = idIn(await output(['thread', 'create', 'Alone', ...ann()]));
    const given = args.map((word) => (word === 'ALONE' ? alone : word));
    expect((await runCli(['thread', ...given, ...ann()])).stderr).toMatch(says);
  });
});

describe('coterie search', () => {
  it('shows the title of a thread, and a label as it is', async () => {
    const [ann, ben] = [as('ann', 'titles'), as('ben', 'titles')];
    await call(hub.url, 'register_agent', {}, ben);
    await call(hub.url, 'create_thread', { title: 'Q4', participants: ['ben'], initial_message: 'word' }, ann);
    expect(await output(['search', 'word', ...at('titles')])).toMatch(/^\S+ {2}\w+ +ann in “Q4” {2}\*\*word\*\*\n$/);
  });

  it('shows what it found with the words marked, and how to go on', async () => {
    await call(hub.url, 'register_agent', {}, as('ben', 'search'));
    for (const message of ['the lease ran out', 'Lease, lease\nand lease'])
      await call(hub.url, 'send_message', { target: 'ben', message }, as('ann', 'search'));
    const first = await output(['search', 'lease', ...at('search'), '--limit', '1']);
    const [, cursor = ''] =
      /^\S+ {2}ma2\w+ +ann → ben {2}\*\*Lease\*\*, \*\*lease\*\* and \*\*lease\*\*\nMore: the same with --cursor (\S+)\n$/.exec(
        first,
      ) ?? [];
    const { messages, hasMore } = await json(['search', '--query', 'lease', ...at('search'), '--cursor', cursor]);
    expect({ messages, hasMore }).toMatchObject({ messages: [{ seq: 1 }], hasMore: false });
    expect(await output(['search', 'lease', ...at('search'), '--from', 'ben'])).toMatch(/^Nothing found\./);
    expect((await json(['search', 'ran', ...at('search'), '--since', '2020-01-01'])).messages).toHaveLength(1);
  });
});

describe('coterie outbox', () => {
  it('shows what was sent, and where every copy stands', async () => {
    await call(hub.url, 'register_agent', {}, as('ben', 'outbox'));
    expect(await output(['outbox', ...at('outbox'), '--as', 'ann'])).toBe('Nothing sent.\n');
    for (const message of ['one', 'two'])
      await call(hub.url, 'send_message', { target: 'ben', message }, as('ann', 'outbox'));
    const shown = await output(['outbox', ...at('outbox'), '--as', 'ann', '--limit', '1']);
    expect(shown).toMatch(
      /^\S+ {2}ann → ben {2}ma2\w+\n {2}two\n {2}ben pending\n\nMore: the same with --cursor \S+\n$/,
    );
    const { messages } = await json(['outbox', ...at('outbox'), '--of', 'ann', '--to', 'ben', '--status', 'PENDING']);
    expect(messages).toMatchObject([{ seq: 2, deliveries: [{ recipient: 'ben', state: 'pending' }] }, { seq: 1 }]);
  });
});

describe('coterie top', () => {
  it('prints one look where there is no terminal', async () => {
    await call(hub.url, 'register_agent', {}, as('ben', 'top'));
    await call(hub.url, 'send_message', { target: 'ben', message: 'hi' }, as('ann', 'top'));
    const shown = await output(['top', ...at('top')]);
    expect(shown).toMatch(new RegExp(`^coterie top {2}${hub.url} {2}session top {2}\\d\\d:\\d\\d:\\d\\d\n`));
    expect(shown).toMatch(/\nagents {2}0 waiting, 2 active, 0 idle, 0 offline\n/);
    expect(shown).toMatch(/\nflow {4}\S+\/s sent, \S+\/s copies, \S+\/s read; \d+ messages in all\n/);
    // Those with unread mail come first.
    expect(shown).toMatch(/\nAGENT .*UNREAD\nben .* 1\nann .*\n$/);
  });

  it('prints one look as JSON', async () => {
    const { activity, agents, url, session } = await json(['top', ...at('top-json')]);
    expect({ url, session, agents }).toEqual({ url: hub.url, session: 'top-json', agents: [] });
    expect(activity).toMatchObject({ sendsPerSecond: expect.any(Number), waitsParked: 0, inDoubt: 0 });
  });
});
