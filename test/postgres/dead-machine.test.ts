// The primary's machine loses its power: nothing tells the hub's connections that it is gone.
import { expect, it } from 'vitest';
import { sendToBen, twoAgents, unreadOfBen, withFailoverRun } from '../fault/failover-run.js';
import { promote } from '../fault/primary-and-standby.js';
import { call } from '../support/http-call.js';
import { ownMsOf } from '../support/own-time.js';

/** After the promotion, as promised. */
const recoveryMsMax = 5_000;

it('a machine that is gone without a word holds no call up for long', { timeout: 120_000 }, () =>
  withFailoverRun({ name: 'no power', hubs: 1, replication: 'synchronous' }, async (run) => {
    const { url, door, primary, standby } = run;
    await twoAgents(url);
    // The hub has many connections open.
    await Promise.all(Array.from({ length: 10 }, () => unreadOfBen(url)));
    await sendToBen(url, 'one');
    door.leadTo(primary.url, 'silent');
    await primary.crash();
    await promote(standby);
    door.leadTo(standby.url, 'silent');
    const reads = Array.from({ length: 4 }, () => call(url, 'list_threads', {}, { agent: 'ann' }));
    expect(await ownMsOf(url, Promise.all([sendToBen(url, 'two'), ...reads]))).toBeLessThan(recoveryMsMax);
    expect(await unreadOfBen(url)).toEqual(['one', 'two']);
  }),
);
