// Readers of every kind that give up, or die, at any moment around their answer; the hub itself is left in peace.
import { openThread, registerAgents, type FaultRun, type Judged } from './fault-run.js';
import type { ReaderConfig, Via } from './load-run.js';

export const abortLeaseMs = 2_000;
/** Longer than any lease and any doubt lasts. */
const quietMs = abortLeaseMs + 2_500;
const boldMsMax = 240_000;

const habit = { role: 'reader', ack: 'auto', giveUpShare: 0.7, spreadMs: 1.5, limitMax: 3, timeoutMsMax: 200 } as const;
const operations: ReaderConfig['operations'] = ['wait_for_mentions', 'get_messages'];

/** One agent for each way of calling, so that a loss names its client. */
export function abortingReaders(vias: Via[], boldCallsMax: number): ReaderConfig[] {
  // On a busy machine answers come at any time, and most calls are given up too late.
  const dropsMin = Math.ceil(boldCallsMax / 7);
  const bold = { boldCallsMax, dropsMin };
  return vias.map((via) => ({ ...habit, name: via, agent: `by-${via}`, vias: [via], operations, ...bold }));
}

/** The same by an abort that is not a time-out. */
export function byAbort(readers: ReaderConfig[]): ReaderConfig[] {
  return readers.map((reader) => ({
    ...reader,
    name: `${reader.name}-aborts`,
    agent: `${reader.agent}-aborts`,
    aborts: true,
  }));
}

export const dyingReader: ReaderConfig = {
  ...habit,
  name: 'dying',
  agent: 'by-dying',
  vias: ['keep-alive'],
  operations,
  giveUpShare: 0.3,
  livesMax: 12,
};

/** Gives nothing up: its messages must come in order and in time while the others make their trouble. */
export const calmReader: ReaderConfig = {
  ...habit,
  name: 'calm',
  agent: 'by-calm',
  vias: ['keep-alive'],
  operations: ['wait_for_mentions'],
  giveUpShare: 0,
  timeoutMsMax: 4_000,
  boldCallsMax: 100,
};

/** Readers that drop most of their calls as the answer is made, and call again at once. */
export function runDroppedWaits(run: FaultRun, isUp = false): Promise<Judged> {
  const readers = abortingReaders(['keep-alive', 'mcp-v2-2026'], 70);
  const hasty = readers.map((reader) => ({ ...reader, giveUpShare: 0.9, spreadMs: 1 }));
  return runAbortLoad(run, { readers: hasty, messages: 150, isUp });
}

/** So few at once that answers come quickly and evenly: only then can a client aim at the moment of its answer. */
const readersAtOnce = 3;

export async function runAbortLoad(
  run: FaultRun,
  wanted: { readers: ReaderConfig[]; messages: number; trickle?: number; isUp?: boolean },
): Promise<Judged> {
  const { hub, load } = run;
  const readers = wanted.readers.map(({ agent }) => agent);
  if (wanted.isUp !== true) await hub.start();
  await registerAgents(hub.url, ['sender', 'trickle', 'stranger', ...readers]);
  const thread = await openThread(hub.url, 'sender', readers);
  const foreignThread = await openThread(hub.url, 'stranger', readers);
  const habits = { role: 'sender', readers, thinkMsMax: 2, expiringShare: 0, isPlain: true } as const;
  load.start({ role: 'follower', name: 'follower', leaveShare: 0.1 });
  load.start({
    ...habits,
    name: 'sender',
    agent: 'sender',
    thread,
    foreignThread,
    lanes: 6,
    messagesMax: wanted.messages,
  });
  await load.sent(120_000);
  // Then a little at a time, so that some calls wait for their answer.
  load.start({
    ...habits,
    name: 'trickle',
    agent: 'trickle',
    lanes: 1,
    thinkMsMax: 40,
    messagesMax: wanted.trickle ?? Number.MAX_SAFE_INTEGER,
  });
  for (let first = 0; first < readers.length; first += readersAtOnce) {
    for (const config of wanted.readers.slice(first, first + readersAtOnce)) load.start(config);
    await load.started();
    await load.calmed(boldMsMax);
  }
  load.calm();
  await load.quiet(quietMs, 120_000);
  return run.judge();
}
