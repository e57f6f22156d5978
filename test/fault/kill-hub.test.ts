// The hub is killed without warning under load, again and again, on the same folder and port.
// CYCLES sets how often; scripts/fault-run.mjs runs many.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openThread, registerAgents, withFaultRun, type FaultRun, type Judged } from './fault-run.js';
import type { ReaderConfig } from './load-run.js';

const cycles = Number(process.env['CYCLES'] ?? 20);
const manualLeaseMs = 3_000;
/** Longer than any lease can last: a manual one, a second of the reaper, and the two of an answer in doubt. */
const quietMs = manualLeaseMs + 2_500;
const testMsMax = 240_000 + cycles * 6_000;

const reader = {
  role: 'reader',
  ack: 'auto',
  giveUpShare: 0.4,
  spreadMs: 3,
  limitMax: 20,
  timeoutMsMax: 1_500,
} as const;

const readers: ReaderConfig[] = [
  { ...reader, name: 'reader-1', agent: 'r1', vias: ['keep-alive', 'close'], operations: ['wait_for_mentions'] },
  { ...reader, name: 'reader-2', agent: 'r2', vias: ['keep-alive'], operations: ['get_messages', 'wait_for_mentions'] },
  {
    ...reader,
    name: 'reader-3',
    agent: 'r3',
    vias: ['keep-alive'],
    operations: ['wait_for_mentions', 'get_messages'],
    ack: 'manual',
    forgetShare: 0.02,
  },
  { ...reader, name: 'reader-4', agent: 'r4', vias: ['mcp-v2-2025', 'mcp-v2-2026'], operations: ['wait_for_mentions'] },
];
const readerIds = readers.map(({ agent }) => agent);
const senderIds = Array.from({ length: 8 }, (_, index) => `s${index + 1}`);

it(
  `a hub that is killed ${cycles} times under load loses nothing and repeats nothing unmarked`,
  { timeout: testMsMax },
  async () => {
    const verdict = await withFaultRun({ name: 'kill the hub', manualLeaseMs }, killAgainAndAgain);
    expect(verdict.violations).toEqual([]);
    expect(verdict.complaints).toEqual([]);
    expect(verdict.counts.ok).toBeGreaterThan(cycles * 10);
    expect(verdict.counts.failed).toBeGreaterThan(0);
  },
);

async function killAgainAndAgain(run: FaultRun): Promise<Judged> {
  const { hub, load, random } = run;
  await hub.start();
  await startClients(run);
  await load.started();
  for (let cycle = 0; cycle < cycles; cycle++) {
    // How long the hub lives is the fault, not a wait for luck.
    await sleep(random.between(200, 1_200));
    await hub.end('SIGKILL');
    // Now and then the next one is killed while it is still starting.
    if (random.happens(0.2)) {
      hub.begin();
      await sleep(random.between(0, 400));
      await hub.end('SIGKILL');
    }
    await hub.start();
  }
  load.calm();
  await load.sent(60_000);
  await load.quiet(quietMs, 60_000);
  return run.judge();
}

async function startClients({ hub, load }: FaultRun): Promise<void> {
  await registerAgents(hub.url, [...readerIds, ...senderIds]);
  const threads = await Promise.all(senderIds.map((sender) => openThread(hub.url, sender, readerIds)));
  for (const config of readers) load.start(config);
  load.start({ role: 'follower', name: 'follower', leaveShare: 0.1 });
  for (const [index, agent] of senderIds.entries()) {
    const [thread = '', foreignThread = ''] = [threads[index], threads[(index + 1) % threads.length]];
    const pace = { lanes: 2, thinkMsMax: 40, messagesMax: Number.MAX_SAFE_INTEGER, expiringShare: 0.02 };
    load.start({ role: 'sender', name: `sender-${agent}`, agent, readers: readerIds, thread, foreignThread, ...pace });
  }
}
