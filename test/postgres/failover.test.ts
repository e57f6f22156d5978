// The worst moments of a failover, one by one: where an address may lead to before and after it.
import { expect, it } from 'vitest';
import type { DatabaseDoor } from '../fault/database-door.js';
import { sendToBen, twoAgents, unreadOfBen, withFailoverRun, type FailoverRun } from '../fault/failover-run.js';
import { ask, isStored, promote } from '../fault/primary-and-standby.js';
import { eventually } from '../support/eventually.js';
import { post } from '../support/http-call.js';

const timeout = 60_000;

const withHub = (name: string, body: (run: FailoverRun) => Promise<void>) =>
  withFailoverRun({ name, hubs: 1, replication: 'synchronous' }, async (run) => {
    await twoAgents(run.url);
    await body(run);
  });

async function triesAgain(door: DatabaseDoor, times: number): Promise<void> {
  const before = door.admitted;
  await eventually('the hub tries again and again', () => door.admitted > before + times);
}

async function connectionsAt(url: string, kind = ''): Promise<number> {
  const [row] = await ask(
    url,
    `select count(*)::integer as n from pg_stat_activity where application_name like 'coterie ${kind}%'`,
  );
  return Number(row?.['n']);
}

it('calls wait while the address leads to a server that only reads, before and after a promotion', { timeout }, () =>
  withHub('a server that only reads', async ({ url, door, primary, standby }) => {
    expect((await sendToBen(url, 'one')).status).toBe(200);
    // Takes effect when it is started again, as for a primary that was made to step back.
    await ask(primary.url, 'alter system set default_transaction_read_only = on');
    await primary.crash();
    door.leadTo(standby.url);
    const calls = [sendToBen(url, 'two'), post(url, 'list_threads', {}, { agent: 'ann' })];
    await triesAgain(door, 20);
    await eventually('it lets go of what it has tried', async () => (await connectionsAt(standby.url, 'link')) < 2);
    await promote(standby);
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200]);
    await primary.start();
    door.leadTo(primary.url);
    const again = sendToBen(url, 'three');
    await triesAgain(door, 10);
    door.leadTo(standby.url);
    expect((await again).status).toBe(200);
    expect(await unreadOfBen(url)).toEqual(['one', 'two', 'three']);
  }),
);

it('connections to a server that turns read-only are given up, also those that only read', { timeout }, () =>
  withHub('turned read-only', async ({ url, door, primary, standby }) => {
    expect((await sendToBen(url, 'one')).status).toBe(200);
    await Promise.all(Array.from({ length: 8 }, () => unreadOfBen(url)));
    await ask(primary.url, 'alter system set default_transaction_read_only = on', 'select pg_reload_conf()');
    await promote(standby);
    door.leadTo(standby.url, 'kept');
    expect((await sendToBen(url, 'two')).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 8 }, () => unreadOfBen(url)));
    expect(answers).toEqual(answers.map(() => ['one', 'two']));
    await eventually('nothing is left at the old server', async () => (await connectionsAt(primary.url)) === 0);
  }),
);

it('nothing is asked of a standby that does not know everything yet', { timeout }, () =>
  withHub('a standby behind', async ({ url, door, primary, standby }) => {
    await sendToBen(url, 'before');
    await ask(standby.url, 'select pg_wal_replay_pause()');
    const silent = door.fallSilentAt('only once', 'answers');
    const sent = sendToBen(url, 'only once');
    await silent;
    // On the disks of both, or the primary would not show it.
    await isStored(primary, 'only once');
    await primary.crash();
    door.leadTo(standby.url);
    const read = unreadOfBen(url);
    await triesAgain(door, 5);
    await promote(standby);
    expect((await sent).status).toBe(200);
    expect([await read, await unreadOfBen(url)]).toEqual([
      ['before', 'only once'],
      ['before', 'only once'],
    ]);
  }),
);
