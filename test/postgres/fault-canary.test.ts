// A run that finds nothing passes too. Hubs on a database that numbers messages before it commits them must not.
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { drain, startClients, withHubsRun } from '../fault/hubs-run.js';

const messagesOfEach = 40;
const sendMsMax = 120_000;
/** Short: that everything comes is not what it is about. */
const quietMs = 2_000;

it('hubs that take their seqs from a plain sequence are caught skipping messages', { timeout: 400_000 }, async () => {
  const { counts } = await withHubsRun({ name: 'a plain sequence', hubs: 3 }, async (run) => {
    await numberBySequence(run.database.url);
    const messages = { messagesMax: messagesOfEach, thinkMsMax: 40, isPlain: true, expiringShare: 0, keylessShare: 0 };
    await startClients(run, messages);
    await run.load.sent(sendMsMax);
    await drain(run, quietMs);
    return run.judge();
  });
  expect(counts.feedMismatch).toBeGreaterThan(0);
  // Nothing else is wrong with them.
  const { unmarkedDouble, readNeverSeen, sumRule } = counts;
  expect({ unmarkedDouble, readNeverSeen, sumRule }).toEqual({ unmarkedDouble: 0, readNeverSeen: 0, sumRule: 0 });
});

/** Leaves out the lock that gives a session its order; the first numbers are left to what the hub writes by itself. */
async function numberBySequence(url: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query<{ source: string }>(
    `select pg_get_functiondef('append_messages'::regproc) as source`,
  );
  const [{ source } = { source: '' }] = rows;
  const faulty = replaceEach(source, [
    [/perform 1 from session[^;]+;/, ''],
    [/then last\.seq end/, `then nextval('plain_seq') end`],
    // A commit takes its time, as it does on a slow disk.
    [/return json_build_object/, 'perform pg_sleep(random() * 0.05); return json_build_object'],
  ]);
  await client.query('create sequence plain_seq start 1000 increment 1000');
  await client.query(faulty);
  await client.end();
}

function replaceEach(source: string, changes: readonly [RegExp, string][]): string {
  return changes.reduce((text, [from, to]) => {
    if (!from.test(text)) throw new Error(`nothing like ${from.source} in the function any more`);
    return text.replace(from, to);
  }, source);
}
