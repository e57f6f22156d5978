// A fault run of several hubs on one database, each with a way of its own to it.
import { startPostgres, type PostgresProcess } from '../support/postgres-process.js';
import { DatabaseDoor } from './database-door.js';
import { openThread, registerAgents, withFaultRun, type FaultRun } from './fault-run.js';
import type { ReaderConfig, SenderConfig } from './load-run.js';
import { Trouble } from './trouble.js';

const manualLeaseMs = 3_000;
/** Longer than any lease can last: an automatic one that a hub left behind, and the reaper's rounds. */
const quietMs = 10_000 + 3_500;
const drainMsMax = 90_000;

export interface HubsRun extends FaultRun {
  trouble: Trouble;
  database: PostgresProcess;
  /** One for each hub. */
  doors: readonly DatabaseDoor[];
}

export interface HubsRunOptions {
  name: string;
  hubs: number;
  seed?: number;
}

/** Nothing of it outlives `body`. The hubs are up when it begins. */
export async function withHubsRun<Result>(
  { hubs: count, ...options }: HubsRunOptions,
  body: (run: HubsRun) => Promise<Result>,
): Promise<Result> {
  const database = await startPostgres();
  const doors = await Promise.all(Array.from({ length: count }, () => DatabaseDoor.open(database.url)));
  const stores = doors.map(({ url }) => ['--database', url]);
  try {
    return await withFaultRun({ ...options, manualLeaseMs, stores }, async (run) => {
      for (const hub of run.hubs) await hub.start();
      const trouble = new Trouble({ hubs: run.hubs, doors, database, random: run.random });
      return body({ ...run, trouble, database, doors });
    });
  } finally {
    for (const door of doors) door.close();
    await database.stop();
  }
}

/** Until the senders have an answer to everything and nothing more comes to the readers. */
export async function drain({ load }: FaultRun, forMs = quietMs): Promise<void> {
  load.calm();
  await load.sent(drainMsMax);
  await load.quiet(forMs, drainMsMax);
}

const reader = {
  role: 'reader',
  ack: 'auto',
  giveUpShare: 0.2,
  spreadMs: 5,
  limitMax: 20,
  timeoutMsMax: 4_000,
} as const;
const waits = ['wait_for_mentions'] as const;

/** Is written to now and then only: its waits are open when a message comes, as a rule at another hub. */
const patient: ReaderConfig = {
  ...reader,
  name: 'reader-6',
  agent: 'r6',
  vias: ['keep-alive'],
  operations: [...waits],
  giveUpShare: 0,
  timeoutMsMax: 9_000,
};

const busy: ReaderConfig[] = [
  { ...reader, name: 'reader-1', agent: 'r1', vias: ['keep-alive', 'close'], operations: [...waits] },
  { ...reader, name: 'reader-2', agent: 'r2', vias: ['keep-alive'], operations: ['get_messages', ...waits] },
  {
    ...reader,
    name: 'reader-3',
    agent: 'r3',
    vias: ['keep-alive'],
    operations: ['get_messages', ...waits],
    ack: 'manual',
    forgetShare: 0.02,
  },
  { ...reader, name: 'reader-4', agent: 'r4', vias: ['mcp-v2-2025', 'mcp-v2-2026'], operations: [...waits] },
  { ...reader, name: 'reader-5', agent: 'r5', vias: ['fetch', 'one-shot'], operations: [...waits], giveUpShare: 0 },
];
const busyIds = busy.map(({ agent }) => agent);
const senderIds = Array.from({ length: 12 }, (_, index) => `s${index + 1}`);

/** 12 senders, 6 readers and a follower of the feed, each at any of the hubs. */
export async function startClients({ hub, load }: FaultRun, habits: Partial<SenderConfig> = {}): Promise<void> {
  await registerAgents(hub.url, [...busyIds, patient.agent, ...senderIds]);
  const threads = await Promise.all(senderIds.map((sender) => openThread(hub.url, sender, busyIds)));
  const senders = senderIds.map((agent, index): SenderConfig => {
    const [thread = '', foreignThread = ''] = [threads[index], threads[(index + 1) % threads.length]];
    const pace = { lanes: 1, thinkMsMax: 160, messagesMax: Number.MAX_SAFE_INTEGER };
    const shares = { expiringShare: 0.02, keylessShare: 0.1 };
    return {
      role: 'sender',
      name: `sender-${agent}`,
      agent,
      readers: busyIds,
      thread,
      foreignThread,
      ...pace,
      ...shares,
    };
  });
  const [slow, ...others] = senders.toReversed();
  if (slow === undefined) throw new Error('there are senders');
  const rare: SenderConfig = { ...slow, readers: [patient.agent], thinkMsMax: 2_000 };
  delete rare.thread;
  load.start({ role: 'follower', name: 'follower', leaveShare: 0.02 });
  startTogether(load, [...busy, patient], 3);
  startTogether(
    load,
    [rare, ...others].map((sender) => ({ ...sender, ...habits })),
    4,
  );
  await load.started();
}

function startTogether(load: FaultRun['load'], configs: readonly (ReaderConfig | SenderConfig)[], count: number): void {
  for (let first = 0; first < configs.length; first += count) {
    const [config, ...more] = configs.slice(first, first + count);
    if (config !== undefined) load.start(config, ...more);
  }
}
