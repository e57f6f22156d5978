// Hubs under load while their primary dies and its standby takes over.
import { expect, it } from 'vitest';
import { withFailoverRun } from '../fault/failover-run.js';
import { openThread, registerAgents, type FaultRun } from '../fault/fault-run.js';
import { drain } from '../fault/hubs-run.js';
import type { ReaderConfig, SenderConfig } from '../fault/load-run.js';
import { ask, promote } from '../fault/primary-and-standby.js';
import { describeRecoveries, recoveriesOf } from '../fault/recovery.js';
import { eventually } from '../support/eventually.js';

/** After the promotion, as promised. */
const recoveryMsMax = 5_000;
const messagesAround = 150;

it('hubs lose nothing and repeat nothing unmarked when a synchronous standby takes over', { timeout: 300_000 }, () =>
  withFailoverRun({ name: 'failover', hubs: 2, replication: 'synchronous' }, async (run) => {
    const { door, primary, standby, hubs } = run;
    await startFewClients(run);
    const before = await grown(primary.url, 0);
    const fromUs = nowUs();
    await primary.crash();
    door.leadTo(standby.url);
    const tried = door.admitted;
    await eventually('hubs have come to the standby', () => door.admitted > tried + 10);
    await promote(standby);
    const outages = [{ kind: 'database crashed' as const, fromUs, untilUs: nowUs() }];
    await grown(standby.url, before);
    await drain(run);
    const verdict = await run.judge(outages);
    const recoveries = recoveriesOf(
      verdict.histories,
      outages,
      hubs.map(({ url }) => url),
    );
    console.log(describeRecoveries(recoveries));
    expect(verdict.violations).toEqual([]);
    expect(recoveries).toHaveLength(hubs.length);
    expect(recoveries.filter(({ ms }) => ms > recoveryMsMax)).toEqual([]);
  }),
);

/** 4 senders, 2 readers and a follower of the feed, each at any of the hubs. */
async function startFewClients({ hub, load }: FaultRun): Promise<void> {
  const readers = ['r1', 'r2'];
  const senderIds = ['s1', 's2', 's3', 's4'];
  await registerAgents(hub.url, [...readers, ...senderIds]);
  const thread = await openThread(hub.url, 's1', readers);
  const habits = {
    lanes: 1,
    thinkMsMax: 100,
    messagesMax: Number.MAX_SAFE_INTEGER,
    expiringShare: 0,
    keylessShare: 0.2,
  };
  const [first, ...others] = senderIds.map((agent): SenderConfig => {
    return { role: 'sender', name: `sender-${agent}`, agent, readers, ...habits, ...(agent === 's1' && { thread }) };
  });
  const waits = { operations: ['wait_for_mentions' as const], limitMax: 20, timeoutMsMax: 4_000 };
  const calm = { role: 'reader' as const, giveUpShare: 0, spreadMs: 5, ...waits };
  const auto: ReaderConfig = { ...calm, name: 'reader-1', agent: 'r1', vias: ['keep-alive', 'close'], ack: 'auto' };
  const manual: ReaderConfig = { ...calm, name: 'reader-2', agent: 'r2', vias: ['keep-alive'], ack: 'manual' };
  load.start({ role: 'follower', name: 'follower', leaveShare: 0.02 });
  load.start(auto, { ...manual, forgetShare: 0 });
  if (first !== undefined) load.start(first, ...others);
  await load.started();
}

/** Until there is so much more than there was; answers how much there is. */
function grown(url: string, before: number): Promise<number> {
  return eventually(
    'messages are sent',
    async () => {
      const [row] = await ask(url, 'select count(*)::integer as n from message');
      const count = Number(row?.['n']);
      return count > before + messagesAround && count;
    },
    30_000,
  );
}

/** The clock of the histories. */
function nowUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
