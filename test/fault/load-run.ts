// The client processes of a fault run: starts them, calms them, waits until nothing new arrives, ends them.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.js';

const script = fileURLToPath(new URL('./load/client-process.mjs', import.meta.url));
const startMsMax = 60_000;
const stopMsMax = 60_000;

export interface SenderConfig {
  role: 'sender';
  name: string;
  agent: string;
  readers: string[];
  /** Its own thread, with all readers in it; only direct messages when left out. */
  thread?: string;
  /** A thread it is not in. */
  foreignThread?: string;
  lanes: number;
  thinkMsMax: number;
  messagesMax: number;
  /** How many of its messages end by themselves after a second. */
  expiringShare: number;
  /** Without priorities and interrupts. */
  isPlain?: boolean;
  /** How many of its messages have no key, and so only one try. */
  keylessShare?: number;
}

export type Via = 'keep-alive' | 'close' | 'one-shot' | 'fetch' | 'mcp-v1' | 'mcp-v2-2025' | 'mcp-v2-2026';

export interface ReaderConfig {
  role: 'reader';
  name: string;
  agent: string;
  /** One loop of calls for each. */
  vias: Via[];
  operations: ('wait_for_mentions' | 'get_messages')[];
  ack: 'auto' | 'manual';
  /** How many calls are given up around their answer, and how far around it. */
  giveUpShare: number;
  spreadMs: number;
  limitMax: number;
  timeoutMsMax: number;
  /** After so many calls it gives none up any more. */
  boldCallsMax?: number;
  /** Unless fewer than so many were given up before their answer came: how many are depends on the machine. */
  dropsMin?: number;
  /** Giving up is an abort by the caller, not a time-out; of MCP clients. */
  aborts?: boolean;
  /** Giving up is the end of the process; another takes its place, the last of them without giving up. */
  livesMax?: number;
  /** How many answers are never acknowledged. */
  forgetShare?: number;
}

export interface FollowerConfig {
  role: 'follower';
  name: string;
  /** How often in each tenth of a second it leaves and comes back. */
  leaveShare: number;
}

type ClientConfig = SenderConfig | ReaderConfig | FollowerConfig;

/** One process: the clients in it have the same role. */
interface Client {
  configs: ClientConfig[];
  role: ClientConfig['role'];
  isMortal: boolean;
  lives: number;
  child: ChildProcess;
  isReady: boolean;
  isCalm: boolean;
  isDone: boolean;
}

interface Shared {
  /** Each client talks to any of these hubs, and to another after an error. */
  urls: readonly string[];
  seed: number;
  /** Histories are written to it. */
  folder: string;
}

export class LoadRun {
  readonly #shared: Shared;
  readonly #clients: Client[] = [];
  #isCalm = false;
  #isStopped = false;
  #lastNewsAt = performance.now();

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  /** Several in one process where it is not to die: a process each costs a small machine more than the load. */
  start(config: ClientConfig, ...more: ClientConfig[]): void {
    const configs = [config, ...more];
    const client: Client = {
      configs,
      role: config.role,
      isMortal: config.role === 'reader' && config.livesMax !== undefined,
      lives: 0,
      child: this.#fork(configs, 0),
      isReady: false,
      isCalm: false,
      isDone: false,
    };
    this.#clients.push(client);
    this.#watch(client);
  }

  #fork(configs: readonly ClientConfig[], life: number): ChildProcess {
    const { urls, seed, folder } = this.#shared;
    const named = configs.map((config) => {
      // Each life has a history of its own: the last line of the one before may be half a line.
      const name = life === 0 ? config.name : `${config.name}.${life}`;
      return { ...config, name, urls, history: join(folder, `${name}.jsonl`) };
    });
    const isLastLife = configs.some((config) => config.role === 'reader' && life === config.livesMax);
    const given = { configs: named, seed, isCalm: this.#isCalm || isLastLife };
    const child = fork(script, [JSON.stringify(given)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // The MCP clients keep one listener per call until they are collected; that is theirs to know.
      execArgv: ['--disable-warning=MaxListenersExceededWarning'],
    });
    // A dozen clients against one hub on a small machine: the hub must get its turn, or the run only waits.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    return child;
  }

  #watch(client: Client): void {
    client.child.on('message', (message) => {
      client.isReady = true;
      if (message === 'calm') client.isCalm = true;
      if (message === 'news') this.#lastNewsAt = performance.now();
    });
    client.child.once('exit', (code) => {
      if (code !== null || !client.isMortal || this.#isStopped) {
        client.isDone = true;
        return;
      }
      client.lives += 1;
      client.child = this.#fork(client.configs, client.lives);
      this.#watch(client);
    });
  }

  /** Every client is at work. */
  async started(): Promise<void> {
    await this.#all('are at work', ({ isReady }) => isReady, startMsMax);
  }

  /** The senders have sent all they may. */
  async sent(withinMs: number): Promise<void> {
    await this.#all('have sent everything', ({ role, isDone }) => isDone || role !== 'sender', withinMs);
  }

  /** The readers have given up as many calls as they may. */
  async calmed(withinMs: number): Promise<void> {
    await this.#all('are calm', ({ role, isCalm }) => isCalm || role !== 'reader', withinMs);
  }

  /** The readers have been handed nothing new for so long. */
  async quiet(quietMs: number, withinMs: number): Promise<void> {
    this.#lastNewsAt = performance.now();
    await eventually('the readers are quiet', () => performance.now() - this.#lastNewsAt > quietMs, withinMs);
  }

  /** No more sends, no more calls given up. */
  calm(): void {
    this.#isCalm = true;
    for (const client of this.#clients) if (!client.isDone) client.child.send('calm');
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const client of this.#clients) if (!client.isDone) client.child.send('stop');
    await this.#all('have ended', ({ isDone }) => isDone, stopMsMax);
  }

  /** For a run that failed: nothing may outlive it. */
  async kill(): Promise<void> {
    this.#isStopped = true;
    for (const { child, isDone } of this.#clients) {
      if (isDone || child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
  }

  /** Names who is late, so that a run that hangs says where. */
  async #all(what: string, holds: (client: Client) => boolean, withinMs: number): Promise<void> {
    const late = () =>
      this.#clients.filter((client) => !holds(client)).flatMap(({ configs }) => configs.map(({ name }) => name));
    await eventually(`all clients ${what}`, () => late().length === 0, withinMs).catch((cause: unknown) => {
      throw new Error(`not within ${withinMs} ms: clients ${what}: ${late().join(', ')}`, { cause });
    });
  }
}
