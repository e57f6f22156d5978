// What every fault run shares: a folder for the hub's data and the clients' histories, agents and threads, the verdict.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '../support/http-call.js';
import { removeFolder, tempFolder } from '../support/hub-process.js';
import { checkRun, describeVerdict, type Verdict } from './checker.js';
import { FaultHub, freePort } from './fault-hub.js';
import { loadHistories } from './history.js';
import { LoadRun } from './load-run.js';
import { SeededRandom } from './load/seeded-random.mjs';
import { readTruth } from './truth.js';

export interface FaultRun {
  seed: number;
  random: SeededRandom;
  hub: FaultHub;
  load: LoadRun;
  /** Ends the clients, reads the session back, judges and prints the verdict. The hub must be up. */
  judge(): Promise<Judged>;
}

export interface Judged extends Verdict {
  /** What the hub's own log says went wrong. */
  complaints: string[];
}

/** The seed of this run, to be given again in FAULT_SEED. */
export function chooseSeed(): number {
  const given = process.env['FAULT_SEED'];
  return given === undefined ? Math.floor(Math.random() * 1e9) : Number(given);
}

/** Runs `body` and leaves no process behind, whatever becomes of it, and no file unless FAULT_KEEP is set. */
export async function withFaultRun<Result>(
  options: { name: string; manualLeaseMs: number; hubScript?: string },
  body: (run: FaultRun) => Promise<Result>,
): Promise<Result> {
  const seed = chooseSeed();
  console.log(`${options.name}: FAULT_SEED=${seed}`);
  const folder = tempFolder();
  const histories = join(folder, 'histories');
  mkdirSync(histories);
  const random = new SeededRandom(seed, options.name);
  const hub = new FaultHub({
    data: join(folder, 'data'),
    log: join(folder, 'hub.log'),
    port: await freePort(random),
    manualLeaseMs: options.manualLeaseMs,
    ...(options.hubScript === undefined ? {} : { script: options.hubScript }),
  });
  const load = new LoadRun({ url: hub.url, seed, folder: histories });
  const judge = async () => {
    await load.stop();
    const truth = await readTruth(hub.url);
    const verdict = checkRun({ histories: loadHistories(histories), truth, seed });
    console.log(`${options.name}\n${describeVerdict(verdict)}`);
    return { ...verdict, complaints: hub.complaints() };
  };
  try {
    return await body({ seed, random, hub, load, judge });
  } finally {
    await load.kill();
    await hub.end('SIGKILL');
    if (process.env['FAULT_KEEP'] === undefined) removeFolder(folder);
    else console.log(`${options.name}: kept ${folder}`);
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
