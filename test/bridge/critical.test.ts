// create_critical_thread beside an agent: one thread however the wait is cut, and a wait that outlives its hub.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { HubClient } from '../../dist/client/index.js';
import { criticalTeam, sendersOf } from '../support/critical-team.js';
import { eventually } from '../support/eventually.js';
import { fastClock } from '../support/fast-clock.js';
import { freePort } from '../support/free-port.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { cliPath, startHubProcess } from '../support/hub-process.js';
import { tempFolder } from '../support/temp-folder.js';
import { generations } from '../support/mcp-clients.js';
import { connectStdio } from './stdio-clients.js';
import { useHub } from '../support/use-hub.js';
import { parkedAt } from '../support/metrics.js';

const hub = useHub();

const question = { title: 'T', participants: ['ben', 'cas'], initial_message: 'Well?', wait_for_responses: 2 };

describe.each(generations)('through client %s', (generation) => {
  const session = generation.replaceAll(' ', '-');

  it('waits for the responses, which then do not come again from the inbox', async () => {
    const team = await criticalTeam(hub, session);
    const client = await connectStdio(generation, [...hub.flags, '--session', session, '--agent', 'ann']);
    const waiting = client.call('create_critical_thread', { ...question, timeout_ms: 20_000 });
    await parkedAt(hub, 1);
    const threadId = await team.thread();
    await team.say('ben', threadId, 'one');
    await team.say('cas', threadId, 'two');
    const got = await waiting;
    expect(got.structured).toMatchObject({ success: true, threadId, complete: true, critical: true });
    expect(got.structured.duplicate).toBeUndefined();
    expect(sendersOf(got.structured.responses)).toEqual(['ben', 'cas']);
    expect(got.text).toMatch(/^Critical thread created successfully:[^]*2 of 2 responses/);
    // The next line of the client says that it has the answer.
    expect((await client.call('get_messages', {})).structured.messages).toEqual([]);
    const { deliveries } = await team.as('cas', 'get_receipts', { messageId: got.structured.responses[1].id });
    expect(deliveries).toMatchObject([{ recipient: 'ann', state: 'read', attempts: 1 }, { recipient: 'ben' }]);
    await client.close();
  });

  it('cuts the wait to what the client survives, opens one thread, and goes on with wait_for_responses', async () => {
    const cutSession = `${session}-cut`;
    const team = await criticalTeam(hub, cutSession);
    const args = [...hub.flags, '--session', cutSession, '--client-wait-ms', '1000'];
    const client = await connectStdio(generation, args);
    const cut = await client.call('create_critical_thread', { ...question, creator_id: 'ann', timeout_ms: 5_000 });
    expect(cut.isError).toBe(false);
    expect(cut.structured).toMatchObject({ complete: false, clampedToMs: 1_000, missing: ['ben', 'cas'] });
    const { threadId } = cut.structured;
    // Each call is cut again.
    const over = await eventually('the whole time is over', async () => {
      const next = await client.call('wait_for_responses', { threadId, agentId: 'ann' });
      return next.isError && next;
    });
    expect(over.text).toMatch(/^NO_RESPONSES: Waiting for 2 responses timed out/);
    const { threads } = await team.as('ann', 'list_threads', {});
    expect(threads).toHaveLength(1);
    await client.close();
  });
});

it('says NO_RESPONSES when the whole time has passed in one call', async () => {
  await criticalTeam(hub, 'none');
  const client = await connectStdio('v2 2026', [...hub.flags, '--session', 'none', '--agent', 'ann']);
  const got = await client.call('create_critical_thread', { ...question, timeout_ms: 300 });
  expect(got.text).toMatch(/^NO_RESPONSES: Waiting for 2 responses timed out\n.*wait_for_responses/);
  expect(got.meta['coterie/error'].details).toMatchObject({ title: 'T', missing: ['ben', 'cas'] });
  await client.close();
});

it('does not wait when it is told so', async () => {
  await criticalTeam(hub, 'no-wait');
  const client = await connectStdio('v2 2026', [...hub.flags, '--session', 'no-wait', '--agent', 'ann']);
  const got = await client.call('create_critical_thread', { ...question, wait_for_responses: 0 });
  expect(got.structured).toMatchObject({ responses: [], waitedMs: 0 });
  expect(got.structured).not.toHaveProperty('clampedToMs');
  await client.close();
});

it('goes on waiting when its hub is killed and comes back', async () => {
  const data = tempFolder();
  const port = ['--port', String(await freePort())];
  const before = await startHubProcess({ data, args: port });
  const team = await criticalTeam(before, 'default');
  const client = await connectStdio('v2 2026', [...before.flags, '--agent', 'ann']);
  const waiting = client.call('create_critical_thread', { ...question, timeout_ms: 45_000 });
  await parkedAt(before, 1);
  const threadId = await team.thread();
  await team.say('ben', threadId, 'before');
  await before.kill();
  const after = await startHubProcess({ data, args: port });
  await parkedAt(after, 1);
  const later = await criticalTeam(after, 'default');
  await later.say('cas', threadId, 'after');
  const got = await waiting;
  expect(got.structured).toMatchObject({ complete: true, threadId });
  expect(sendersOf(got.structured.responses)).toEqual(['ben', 'cas']);
  expect((await later.as('ann', 'list_threads', {})).threads).toHaveLength(1);
  await client.close();
}, 120_000);

it('tells a client that gave a token who has answered', async () => {
  const team = await criticalTeam(hub, 'told');
  const client = await connectStdio('v2 2026', [...hub.flags, '--session', 'told', '--agent', 'ann']);
  const told: (string | undefined)[] = [];
  const asked = { ...question, timeout_ms: 40_000 };
  const waiting = client.call('create_critical_thread', asked, {
    onprogress: (progress) => void told.push(progress?.message),
  });
  await parkedAt(hub, 1);
  const threadId = await team.thread();
  await team.say('ben', threadId, 'one');
  await eventually('told', () => told.length > 0, 20_000);
  await team.say('cas', threadId, 'two');
  expect((await waiting).structured).toMatchObject({ complete: true });
  expect(told).toEqual(['1 of 2 answered: ben']);
  await client.close();
}, 120_000);

describe('a program with a wait longer than one request holds', () => {
  it('opens one thread and gets what came in every part of the wait', async () => {
    const fast = await startHubInProcess({ clock: fastClock(100) });
    const team = await criticalTeam(fast, 'default');
    const ann = new HubClient({ url: fast.url, agent: 'ann' });
    const waiting = ann.call('create_critical_thread', {
      title: 'T',
      participants: ['ben', 'cas'],
      initialMessage: 'Well?',
      waitForResponses: 2,
      timeoutMs: 600_000,
    });
    await parkedAt(fast, 1);
    const threadId = await team.thread();
    await team.say('ben', threadId, 'one');
    const { messages } = await team.as('ben', 'get_thread', { threadId });
    const answeredAt = Date.parse(messages.at(-1).timestamp);
    await eventually('the first request is over', async () => {
      const now = Date.parse((await team.as('ben', 'list_agents', {})).agents[1].lastSeen);
      return now > answeredAt + 120_000;
    });
    await team.say('cas', threadId, 'two');
    const got = await waiting;
    expect(got).toMatchObject({ complete: true, threadId });
    expect(got).not.toHaveProperty('clampedToMs');
    expect(got.responses.map(({ sender }) => sender)).toEqual(['ben', 'cas']);
    expect((await team.as('ann', 'list_threads', {})).threads).toHaveLength(1);
  });

  it('is told NO_RESPONSES at the end of all of them', async () => {
    const fast = await startHubInProcess({ clock: fastClock(400) });
    await criticalTeam(fast, 'default');
    const ann = new HubClient({ url: fast.url, agent: 'ann' });
    const asked = { title: 'T', participants: ['ben'], initialMessage: 'Well?', timeoutMs: 300_000 };
    await expect(ann.call('create_critical_thread', asked)).rejects.toMatchObject({ code: 'NO_RESPONSES' });
    expect((await ann.call('list_threads', {})).threads).toHaveLength(1);
  });
});

it('the terminal asks and waits too', async () => {
  const team = await criticalTeam(hub, 'terminal');
  const flags = [...hub.flags, '--session', 'terminal', '--as', 'ann'];
  const json = JSON.stringify({ ...question, timeout_ms: 200_000 });
  const running = promisify(execFile)(process.execPath, [
    cliPath,
    'call',
    'create_critical_thread',
    ...flags,
    '--json',
    json,
  ]);
  await parkedAt(hub, 1);
  const threadId = await team.thread();
  await Promise.all([team.say('ben', threadId, 'one'), team.say('cas', threadId, 'two')]);
  expect(JSON.parse((await running).stdout)).toMatchObject({ threadId, complete: true });
});
