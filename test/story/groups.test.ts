// Groups: who is in them, who may change them, and who receives what is sent to them.
import { describe, expect, it } from 'vitest';
import { startHubInProcess } from '../support/hub-in-process.js';
import { tempFolder } from '../support/temp-folder.js';
import { call, post } from '../support/http-call.js';
import { connectMcp, generations } from '../support/mcp-clients.js';
import { movableClock } from '../support/movable-clock.js';
import { useHub } from '../support/use-hub.js';
import { configFile } from '../support/config-file.js';

const hub = useHub();

const dayMs = 24 * 60 * 60 * 1000;

/** Everyone given is registered there, in this order. */
async function team(session: string, ids: string[], url = hub.url): Promise<void> {
  for (const agentId of ids) await call(url, 'register_agent', { agentId }, { session });
}

const groups = async (session: string, url = hub.url) => (await call(url, 'list_groups', {}, { session })).groups;
const setGroup = (session: string, name: string, members: string[]) =>
  call(hub.url, 'set_group', { name, members }, { session });
const send = (session: string, target: string, agent = 'ann') =>
  call(hub.url, 'send_message', { target, message: `to ${target}` }, { agent, session });
const refusal = async (session: string, operation: string, input: unknown) =>
  (await post(hub.url, operation, input, { agent: 'ann', session })).body.error;
const received = async (session: string, agent: string) =>
  (await call(hub.url, 'get_messages', { markAsRead: false }, { agent, session })).messages;
const idsOf = (sent: { recipients: { id: string }[] }) => sent.recipients.map(({ id }) => id);

describe('list_groups', () => {
  it('has all first, then the three that every session begins with, before and after its first agent', async () => {
    const empty = ['builders', 'council', 'intelligence'].map((name) => ({ name, members: [] }));
    expect(await groups('begin')).toEqual([{ name: 'all', members: [] }, ...empty]);
    await team('begin', ['zoe', 'ann']);
    const [all, ...rest] = await groups('begin');
    expect(all.members.toSorted()).toEqual(['ann', 'zoe']);
    expect(rest).toEqual(empty);
  });

  it('is shown to agents without being asked for, and reads as one line per group', async () => {
    await team('shown', ['ann', 'ben']);
    await setGroup('shown', 'council', ['ben', 'zed']);
    const client = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ann&session=shown`);
    const tools = (await client.tools()).map(({ name }) => name);
    expect(tools).toContain('list_groups');
    expect(tools).not.toContain('set_group');
    const { text } = await client.call('list_groups', {});
    expect(text).toBe(
      'all: ann, ben\nbuilders: no one\ncouncil: ben, zed (not registered yet: zed)\nintelligence: no one',
    );
    await client.close();
  });

  it.each(generations)('says how many members it leaves out, in both forms, over MCP with %s', async (generation) => {
    const session = `many-${generation.replaceAll(' ', '-')}`;
    const there = Array.from({ length: 23 }, (_, index) => `a${10 + index}`);
    const awaited = Array.from({ length: 21 }, (_, index) => `z${10 + index}`);
    await team(session, there);
    await setGroup(session, 'builders', [...there, ...awaited]);
    const client = await connectMcp(generation, `${hub.url}/mcp?agent=a10&session=${session}`);
    const { text, structured } = await client.call('list_groups', {});
    const [all, builders] = structured.groups;
    expect(all).toEqual({ name: 'all', members: there.slice(0, 20), moreMembers: 3 });
    expect(builders).toEqual({
      name: 'builders',
      members: there.slice(0, 20),
      moreMembers: 24,
      unknownMembers: awaited.slice(0, 20),
      moreUnknownMembers: 1,
    });
    expect(text).toContain('all: a10, a11');
    expect(text).toMatch(/^all: .*, a29 and 3 more$/m);
    expect(text).toMatch(/^builders: .*, a29 and 24 more \(not registered yet: .*, z29 and 1 more\)$/m);
    await client.close();
    const [whole] = await groups(session);
    expect(whole).toEqual({ name: 'all', members: there });
  });

  it('follows who comes and goes', async () => {
    await team('follow', ['ann', 'ben']);
    await call(hub.url, 'remove_agent', { agentId: 'ben' }, { session: 'follow' });
    expect((await groups('follow'))[0]).toEqual({ name: 'all', members: ['ann'] });
  });
});

describe('set_group', () => {
  it('makes a group, replaces its members, and empties it', async () => {
    await team('make', ['ann', 'ben', 'cyn']);
    const made = await setGroup('make', 'review', ['cyn', 'ben', 'cyn']);
    expect(made).toMatchObject({
      success: true,
      group: { name: 'review', members: ['cyn', 'ben'] },
      unknownMembers: [],
    });
    expect(idsOf(await send('make', 'review'))).toEqual(['cyn', 'ben']);
    await setGroup('make', 'review', ['ben']);
    expect(idsOf(await send('make', 'review'))).toEqual(['ben']);
    await setGroup('make', 'review', []);
    expect(await groups('make')).toContainEqual({ name: 'review', members: [] });
    const { code, hint } = await refusal('make', 'send_message', { target: 'review', message: 'x' });
    expect({ code, hint }).toEqual({
      code: 'GROUP_EMPTY',
      hint: expect.stringMatching(/list_groups.*set_group.*replay_dead_letter/),
    });
  });

  it('keeps names that no one is registered under; they receive from their registration on', async () => {
    await team('later', ['ann', 'ben']);
    expect((await setGroup('later', 'review', ['ben', 'zed'])).unknownMembers).toEqual(['zed']);
    expect(idsOf(await send('later', 'review'))).toEqual(['ben']);
    await team('later', ['zed']);
    expect(await groups('later')).toContainEqual({ name: 'review', members: ['ben', 'zed'] });
    expect(idsOf(await send('later', 'review'))).toEqual(['ben', 'zed']);
    expect(await received('later', 'zed')).toHaveLength(1);
  });

  it('is of one session only', async () => {
    await team('one', ['ann']);
    await team('two', ['ann']);
    await setGroup('one', 'mine', ['ann']);
    expect((await groups('two')).map(({ name }: { name: string }) => name)).not.toContain('mine');
    expect((await refusal('two', 'list_agents', { group: 'mine' })).code).toBe('GROUP_UNKNOWN');
  });
});

it('an agent cannot take a group’s name, until the group is removed', async () => {
  await team('names', ['ann', 'ben']);
  await setGroup('names', 'biulders', ['ben']);
  const taken = await post(hub.url, 'register_agent', { agentId: 'biulders' }, { session: 'names' });
  expect(taken.body.error.code).toBe('ID_TAKEN');
  const removed = await call(hub.url, 'remove_group', { name: 'biulders' }, { session: 'names' });
  expect(removed).toEqual({ success: true, name: 'biulders' });
  expect((await refusal('names', 'send_message', { target: 'biulders', message: 'x' })).code).toBe('TARGET_UNKNOWN');
  await team('names', ['biulders']);
  expect((await refusal('names', 'set_group', { name: 'biulders', members: [] })).code).toBe('ID_TAKEN');
});

describe('a message to a group', () => {
  it('is one copy for each member but the sender, of a group of one as well', async () => {
    await team('copies', ['ann', 'ben', 'cyn']);
    await setGroup('copies', 'trio', ['ann', 'ben', 'cyn']);
    await setGroup('copies', 'one', ['ben']);
    expect(idsOf(await send('copies', 'trio'))).toEqual(['ben', 'cyn']);
    expect(idsOf(await send('copies', 'trio', 'cyn'))).toEqual(['ann', 'ben']);
    expect(idsOf(await send('copies', 'one'))).toEqual(['ben']);
    expect(await received('copies', 'ben')).toMatchObject([
      { sender: 'ann', target: 'trio', why: 'group' },
      { sender: 'cyn', target: 'trio', why: 'group' },
      { sender: 'ann', target: 'one', why: 'group' },
    ]);
    expect((await refusal('copies', 'send_message', { target: 'none', message: 'x' })).hint).toContain('list_groups');
  });

  it('goes to who was a member when it was sent', async () => {
    await team('when', ['ann', 'ben', 'cyn']);
    await setGroup('when', 'pair', ['ben']);
    await send('when', 'pair');
    await setGroup('when', 'pair', ['cyn']);
    expect(await received('when', 'ben')).toHaveLength(1);
    expect(await received('when', 'cyn')).toEqual([]);
  });

  it('found by its group among other mail', async () => {
    await team('filter', ['ann', 'ben']);
    await setGroup('filter', 'pair', ['ann', 'ben']);
    await send('filter', 'ben');
    await send('filter', 'pair');
    const input = { target: 'pair', markAsRead: false };
    const { messages } = await call(hub.url, 'get_messages', input, { agent: 'ben', session: 'filter' });
    expect(messages).toMatchObject([{ target: 'pair' }]);
  });

  it('of nobody but the sender is refused', async () => {
    await team('alone', ['ann']);
    await setGroup('alone', 'me', ['ann']);
    for (const target of ['me', 'all']) {
      expect((await refusal('alone', 'send_message', { target, message: 'x' })).code).toBe('GROUP_EMPTY');
    }
  });
});

it('agents unseen for the days set leave all, and are back with their first call', async () => {
  const clock = movableClock();
  const own = await startHubInProcess({ clock, args: ['--all-days', '3'] });
  await team('default', ['ann', 'ben', 'cyn'], own.url);
  await call(own.url, 'set_group', { name: 'pair', members: ['ann', 'ben'] });
  const everyone = async () => (await groups('default', own.url))[0].members.toSorted();
  clock.advance(2 * dayMs);
  await call(own.url, 'get_messages', {}, { agent: 'ann' });
  expect(await everyone()).toEqual(['ann', 'ben', 'cyn']);
  clock.advance(2 * dayMs);
  expect(await everyone()).toEqual(['ann']);
  const listed = await call(own.url, 'list_agents', { group: 'all' });
  expect(listed.agents).toMatchObject([{ id: 'ann' }]);
  const toAll = { target: 'all', message: 'x' };
  expect((await post(own.url, 'send_message', toAll, { agent: 'ann' })).body.error.code).toBe('GROUP_EMPTY');
  // Away is not gone: it can be written to, and stays in its groups.
  const toPair = await call(own.url, 'send_message', { target: 'pair', message: 'x' }, { agent: 'ann' });
  expect(idsOf(toPair)).toEqual(['ben']);
  await call(own.url, 'get_messages', { markAsRead: false }, { agent: 'cyn' });
  expect(await everyone()).toEqual(['ann', 'cyn']);
  expect(idsOf(await call(own.url, 'send_message', toAll, { agent: 'ann' }))).toEqual(['cyn']);
});

describe('the groups of the config file', () => {
  const start = (given: Record<string, string[]>, data = tempFolder()) =>
    startHubInProcess({ args: ['--config', configFile({ groups: given })], data });

  it('are there from the start, before their members, in the session default only', async () => {
    const own = await start({ builders: ['builder', 'reviewer'], qa: ['tester'] });
    const found = await groups('default', own.url);
    const members = ['builder', 'reviewer'];
    expect(found).toContainEqual({ name: 'builders', members, unknownMembers: members });
    await team('default', ['ann', 'reviewer', 'tester'], own.url);
    const sent = await call(own.url, 'send_message', { source: 'ann', target: 'builders', message: 'x' });
    expect(idsOf(sent)).toEqual(['reviewer']);
    expect((await groups('other', own.url)).map(({ name }: { name: string }) => name)).not.toContain('qa');
    await own.stop();
    // At the next start they replace what they name, and nothing else.
    const again = await start({ builders: ['ann'] }, own.data);
    const kept = await groups('default', again.url);
    expect(kept).toContainEqual({ name: 'builders', members: ['ann'] });
    expect(kept).toContainEqual({ name: 'qa', members: ['tester'] });
    await again.stop();
    // One that an agent's name stands against is refused, with all the others.
    await expect(start({ council: ['ann'], tester: ['ann'] }, own.data)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(/^"groups\.tester" in the config file: 'tester' is an agent/),
    });
    const last = await startHubInProcess({ data: own.data });
    expect(await groups('default', last.url)).toContainEqual({ name: 'council', members: [] });
  });
});
