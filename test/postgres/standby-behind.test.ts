// A standby that does not have everything: what may be acknowledged meanwhile, and what hubs remember after a failover to it.
import { expect, it } from 'vitest';
import { sendToBen, twoAgents, unreadOfBen, withFailoverRun } from '../fault/failover-run.js';
import { ask, isStored, promote } from '../fault/primary-and-standby.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';

const timeout = 60_000;

it('nothing is acknowledged that the synchronous standby does not have, though the primary does', { timeout }, () =>
  withFailoverRun({ name: 'a standby away', hubs: 1, replication: 'synchronous' }, async (run) => {
    const { url, door, primary, standby } = run;
    await twoAgents(url);
    await sendToBen(url, 'before');
    await standby.crash();
    const { status, body } = await sendToBen(url, 'on one disk', { idempotencyKey: 'k' });
    expect({ status, outcome: body.error?.details?.outcome }).toEqual({ status: 503, outcome: 'unknown' });
    await standby.start();
    expect((await sendToBen(url, 'on one disk', { idempotencyKey: 'k' })).body.duplicate).toBe(true);
    await primary.crash();
    await promote(standby);
    door.leadTo(standby.url);
    expect(await unreadOfBen(url)).toEqual(['before', 'on one disk']);
  }),
);

it('hubs remember nothing that a failover to an asynchronous standby has undone', { timeout }, () =>
  withFailoverRun({ name: 'the end is lost', hubs: 2, replication: 'asynchronous' }, async (run) => {
    const { url, door, primary, standby, hubs } = run;
    await twoAgents(url);
    await eventually('the standby has the agents', async () => {
      const [row] = await ask(standby.url, "select count(*)::integer as n from agent where id in ('ann', 'ben')");
      return row?.['n'] === 2;
    });
    await standby.crash();
    await call(url, 'register_agent', { agentId: 'cat' });
    for (let count = 0; count < 5; count++) await sendToBen(url, 'lost');
    expect((await sendToBen(url, 'lost', { target: 'cat' })).status).toBe(200);
    await primary.crash();
    await standby.start();
    await promote(standby);
    door.leadTo(standby.url);
    // Another hub changes as much as was undone: by the count of changes it is the same.
    await call(hubs[1]?.url ?? '', 'register_agent', { agentId: 'dan' });
    expect((await sendToBen(url, 'to no one', { target: 'cat' })).body.error?.code).toBe('TARGET_UNKNOWN');
    const silent = door.fallSilentAt('only once', 'answers');
    const sent = sendToBen(url, 'only once');
    await silent;
    await isStored(standby, 'only once');
    door.heal(0);
    expect((await sent).status).toBe(200);
    expect(await unreadOfBen(url)).toEqual(['only once']);
  }),
);
