// How a wait for responses ends when they do not all come: the time is up, the thread closes, too few are left.
import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { criticalTeam, sendersOf } from '../support/critical-team.js';
import { eventually } from '../support/eventually.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { connectMcp, generations } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';
import { parkedAt } from '../support/metrics.js';

const hub = useHub({ args: ['--client-wait-ms', '1000'] });

describe('at the time-out', () => {
  it('there is the partial list', async () => {
    const team = await criticalTeam(hub, 'partial');
    const askedAt = performance.now();
    const waiting = team.create({ timeout_ms: 6_000 });
    await parkedAt(hub, 1);
    await team.say('cas', await team.thread(), 'only me');
    const got = await waiting;
    const tookMs = performance.now() - askedAt;
    expect(got).toMatchObject({ complete: false, timedOut: true, missing: ['ben', 'dan'], wanted: 2 });
    expect(sendersOf(got.responses)).toEqual(['cas']);
    expect(tookMs).toBeGreaterThanOrEqual(5_900);
    // The time runs from the opening; the wait begins when that is stored.
    expect(got.waitedMs).toBeGreaterThan(0);
    expect(got.waitedMs).toBeLessThanOrEqual(tookMs);
  });

  it('without a single response it is NO_RESPONSES, and the thread stays', async () => {
    const team = await criticalTeam(hub, 'none');
    const { status, body } = await team.tryCreate({ timeout_ms: 300 });
    expect(status).toBe(504);
    expect(body.error).toMatchObject({
      code: 'NO_RESPONSES',
      retry: 'later',
      message: 'Waiting for 2 responses timed out',
      hint: expect.stringContaining('wait_for_responses'),
      details: { title: 'Deploy?', participants: ['ann', 'ben', 'cas', 'dan'], missing: ['ben', 'cas', 'dan'] },
    });
    const { threadId } = body.error.details;
    const waiting = team.wait(threadId);
    await parkedAt(hub, 1);
    await team.say('ben', threadId, 'better late');
    await team.say('dan', threadId, 'than never');
    expect(await waiting).toMatchObject({ complete: true, threadId });
    expect((await team.tryWait(threadId, { wait_for_responses: 3, timeout_ms: 0 })).status).toBe(200);
  });

  it('of a call shorter than the thread’s time it is a normal answer', async () => {
    const team = await criticalTeam(hub, 'short');
    const { threadId } = await team.create({ wait_for_responses: 0 });
    expect(await team.wait(threadId, { timeout_ms: 50 })).toMatchObject({
      responses: [],
      complete: false,
      timedOut: true,
      missing: ['ben', 'cas', 'dan'],
    });
  });

  it.each(generations)(
    'of client %s a cut wait is a normal answer, and NO_RESPONSES comes after the whole time',
    { tags: ['long'] },
    async (generation) => {
      const session = `cut-${generation.replaceAll(' ', '-')}`;
      await criticalTeam(hub, session);
      const client = await connectMcp(generation, `${hub.url}/mcp?agent=ann&session=${session}`);
      const cut = await client.call('create_critical_thread', {
        title: 'T',
        participants: ['ben'],
        initial_message: 'Well?',
        // So much longer than the cut that a busy machine does not come to its end before.
        timeout_ms: 5_000,
      });
      expect(cut.isError).toBe(false);
      expect(cut.structured).toMatchObject({ complete: false, clampedToMs: 1_000, missing: ['ben'], responses: [] });
      const { threadId } = cut.structured;
      expect(cut.text).toContain(`call wait_for_responses with threadId ${threadId}`);
      // Each call is cut again.
      const over = await eventually('the whole time is over', async () => {
        const next = await client.call('wait_for_responses', { threadId, timeout_ms: 60_000 });
        return next.isError && next;
      });
      expect(over.text).toMatch(/^NO_RESPONSES: Waiting for 1 responses timed out\n.*wait_for_responses/);
      await client.close();
    },
  );
});

describe('during a wait', () => {
  it('a close ends it with what there is', async () => {
    const team = await criticalTeam(hub, 'close');
    const waiting = team.create();
    await parkedAt(hub, 1);
    const threadId = await team.thread();
    await team.say('ben', threadId, 'one');
    await team.as('ann', 'close_thread', { threadId });
    const got = await waiting;
    expect(got).toMatchObject({ complete: false, reason: 'closed', timedOut: false });
    expect(sendersOf(got.responses)).toEqual(['ben']);
    expect(got.waitedMs).toBeLessThan(10_000);
  });

  it.each([
    ['leave_thread', 'cas', {}],
    ['remove_participant', 'ann', { participantId: 'cas' }],
    ['remove_agent', 'ann', { agentId: 'cas' }],
  ] as const)('%s of one too many ends it, and an earlier answer stays', async (operation, agent, input) => {
    const team = await criticalTeam(hub, operation.replaceAll('_', '-'));
    const waiting = team.create({ wait_for_responses: 3 });
    await parkedAt(hub, 1);
    const threadId = await team.thread();
    await team.say('ben', threadId, 'one');
    await team.as('ben', 'leave_thread', { threadId });
    const fields = operation === 'remove_agent' ? input : { threadId, ...input };
    await team.as(agent, operation, fields);
    const got = await waiting;
    expect(got).toMatchObject({ complete: false, reason: 'impossible', missing: ['dan'] });
    expect(sendersOf(got.responses)).toEqual(['ben']);
    expect(got.waitedMs).toBeLessThan(10_000);
  });

  it('one who leaves is not waited for while enough are left', async () => {
    const team = await criticalTeam(hub, 'enough');
    const waiting = team.create();
    await parkedAt(hub, 1);
    const threadId = await team.thread();
    await team.as('cas', 'leave_thread', { threadId });
    await team.say('ben', threadId, 'one');
    const [opening] = await team.unread('dan');
    // A reply needs no threadId: it goes where the question was put.
    await team.as('dan', 'send_message', { reply_to: opening?.id, content: 'two' });
    expect(await waiting).toMatchObject({ complete: true, missing: [] });
  });

  it('one who must answer and leaves ends it', async () => {
    const team = await criticalTeam(hub, 'must');
    const waiting = team.create({ wait_for_responses: 1, required: ['cas'] });
    await parkedAt(hub, 1);
    await team.as('cas', 'leave_thread', { threadId: await team.thread() });
    const got = await waiting;
    expect(got).toMatchObject({ complete: false, reason: 'impossible', missing: ['cas'], responses: [] });
    expect(got.waitedMs).toBeLessThan(10_000);
  });

  it('a client that goes away frees its place', async () => {
    await criticalTeam(hub, 'gone');
    const body = JSON.stringify({ title: 'T', participants: ['ben'], initial_message: 'Well?' });
    const waiting = httpRequest(`${hub.url}/v1/create_critical_thread`, {
      method: 'POST',
      headers: { 'coterie-agent': 'ann', 'coterie-session': 'gone', 'content-length': body.length },
    });
    waiting.on('error', () => {});
    waiting.end(body);
    await parkedAt(hub, 1);
    waiting.destroy();
    await parkedAt(hub, 0);
  });

  it('a hub that stops answers with what there is', async () => {
    const stopping = await startHubInProcess();
    const team = await criticalTeam(stopping, 'default');
    const some = team.create();
    await parkedAt(stopping, 1);
    const threadId = await team.thread();
    await team.say('ben', threadId, 'one');
    const none = team.wait((await team.create({ wait_for_responses: 0 })).threadId);
    await parkedAt(stopping, 2);
    const stopped = stopping.stop();
    expect(await some).toMatchObject({ complete: false, reason: 'stopping', responses: [{ sender: 'ben' }] });
    expect(await none).toMatchObject({ complete: false, timedOut: true, responses: [] });
    await stopped;
  });
});
