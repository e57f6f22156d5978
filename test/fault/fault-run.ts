// What every fault run shares: a folder for data and the clients' histories, hubs, agents and threads, the verdict.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../support/free-port.js';
import { call } from '../support/http-call.js';
import { tempFolder } from '../support/temp-folder.js';
import { checkRun, describeVerdict, type Verdict } from './checker.js';
import { FaultHub } from './fault-hub.js';
import { loadHistories, type HistoryEvent } from './history.js';
import { LoadRun } from './load-run.js';
import { SeededRandom } from './load/seeded-random.mjs';
import type { Outage } from './run-record.js';
import { readTruth } from './truth.js';

export interface FaultRun {
  seed: number;
  random: SeededRandom;
  /** The first of the hubs, for runs that have only one. */
  hub: FaultHub;
  hubs: readonly FaultHub[];
  load: LoadRun;
  /** Ends the clients, reads the session back, judges and prints the verdict. The hubs must be up. */
  judge(outages?: readonly Outage[]): Promise<Judged>;
}

export interface Judged extends Verdict {
  /** What the hubs' own logs say went wrong. */
  complaints: string[];
  histories: HistoryEvent[][];
}

export interface FaultRunOptions {
  name: string;
  manualLeaseMs: number;
  hubScript?: string;
  /** Where no other is given; by chance when left out. */
  seed?: number;
  /** The flags that name the store of each hub; one hub with a folder of its own when left out. */
  stores?: readonly (readonly string[])[];
}

/** The seed of this run, to be given again in FAULT_SEED. */
export function chooseSeed(usual?: number): number {
  const given = process.env['FAULT_SEED'];
  return given === undefined ? (usual ?? Math.floor(Math.random() * 1e9)) : Number(given);
}

/** Runs `body` and leaves no process behind, whatever becomes of it, and no file unless FAULT_KEEP is set. */
export async function withFaultRun<Result>(
  options: FaultRunOptions,
  body: (run: FaultRun) => Promise<Result>,
): Promise<Result> {
  const seed = chooseSeed(options.seed);
  console.log(`${options.name}: FAULT_SEED=${seed}`);
  const isKept = process.env['FAULT_KEEP'] !== undefined;
  const folder = tempFolder({ isKept });
  const histories = join(folder, 'histories');
  mkdirSync(histories);
  const random = new SeededRandom(seed, options.name);
  const { stores = [['--data', join(folder, 'data')]], manualLeaseMs, hubScript: script } = options;
  const ports = await freePorts(stores.length);
  const hubs = stores.map((store, index) => {
    const log = join(folder, `hub-${index + 1}.log`);
    return new FaultHub({ store, log, port: ports[index] ?? 0, manualLeaseMs, ...(script && { script }) });
  });
  const [hub] = hubs;
  if (hub === undefined) throw new Error('a run has at least one hub');
  const load = new LoadRun({ urls: hubs.map(({ url }) => url), seed, folder: histories });
  const judge = async (outages: readonly Outage[] = []) => {
    await load.stop();
    const run = { histories: loadHistories(histories), truth: await readTruth(hub.url), outages, seed };
    const verdict = checkRun(run);
    console.log(`${options.name}\n${describeVerdict(verdict)}`);
    const complaints = hubs.flatMap((one) => one.complaints());
    return { ...verdict, complaints, histories: run.histories };
  };
  try {
    return await body({ seed, random, hub, hubs, load, judge });
  } finally {
    await load.kill();
    await Promise.all(hubs.map((one) => one.end('SIGKILL')));
    if (isKept) console.log(`${options.name}: kept ${folder}`);
  }
}

export async function registerAgents(url: string, agents: readonly string[]): Promise<void> {
  for (const agentId of agents) await call(url, 'register_agent', { agentId });
}

/** A thread of one sender with all the readers; returns its id. */
export async function openThread(url: string, sender: string, readers: readonly string[]): Promise<string> {
  const made = await call(url, 'create_thread', { title: `of ${sender}`, participants: readers }, { agent: sender });
  return made.threadId;
}
