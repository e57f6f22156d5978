// The store port on PostgreSQL, for several hubs: sends are batched, every other call runs in its own transaction.
import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { HubError } from '../../contract/errors.js';
import type { SharedTurns } from '../../ports/shared-turns.js';
import type { CommitNews, Store } from '../../ports/store.js';
import { commandOf, methods, type Command, type Method } from './commands.js';
import { cannotOpen } from './connection/cannot-open.js';
import { openClientWithoutTimeouts, requireWritable } from './connection/connections.js';
import { Database } from './connection/database.js';
import { OpenConnections } from './connection/open-connections.js';
import type { Tx } from './connection/transaction.js';
import { migrate } from './connection/upgrade-schema.js';
import { HandOver, type HandOverOptions } from './inbox/hand-over.js';
import { SendBatcher } from './send/send-batcher.js';
import { SearchTurns } from './search/search-turns.js';
import { WordFiller } from './search/word-filler.js';

export interface PostgresStoreOptions {
  url: string;
  /** Shared with the hub link, which detects a failover. */
  connections?: OpenConnections;
  /** Times come from the hub instead of the database, for tests that move the clock. */
  usesHubTime?: boolean;
  onBatch: (commands: number, ms: number) => void;
  /** Messages from `system` that the store wrote: their recipients must be woken. */
  onNotices: (notices: readonly CommitNews[]) => void;
  /** Without it, no request of a wait may be kept. */
  waits?: HandOverOptions;
  onBug: (command: string, stack: string) => void;
}

/** All sends of a session go through the same batcher. More batchers only make batches smaller. */
const batchersCount = 2;
/** A batch has sends of many sessions: one whose order is locked may not delay the others for longer. */
const batcherLockMs = 500;
const connectionsMax = 10;
/** Opened only to resolve the outcome of commits whose connections were lost, possibly all the others. */
const spareMax = 2;
/** How long a call is retried while the database is unavailable: less than the timeout of clients. */
const timeoutMs = 10_000;

export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store & { turns: SharedTurns }> {
  const { url, connections = new OpenConnections(), usesHubTime = false, onNotices, onBatch, onBug } = options;
  const handOver = new HandOver(options.waits ?? noWaits);
  const name = `coterie ${randomBytes(6).toString('hex')}`;
  await prepare(url, name);
  const pool = connections.openPool({ url, name, max: connectionsMax });
  const sendPool = connections.openPool({ url, name, max: batchersCount, lockMs: batcherLockMs });
  const sparePool = connections.openPool({ url, name, max: spareMax });
  const database = new Database({ pool, sparePool, usesHubTime, timeoutMs, onNotices });
  // Before the connection is used: it may lead to another server.
  for (const each of [pool, sendPool, sparePool]) each.on('connect', () => database.memory.forgetAll());
  const batchers = Array.from({ length: batchersCount }, () => {
    return new SendBatcher({ database, pool: sendPool, timeoutMs, handOver, onBatch });
  });
  const filler = new WordFiller(database, onBug);
  filler.start();
  const searches = new SearchTurns();
  const run = async (method: Method, command: Command, argument: unknown) => {
    try {
      return await runCommand(database, command, argument);
    } catch (error) {
      if (!(error instanceof HubError)) onBug(method, error instanceof Error ? (error.stack ?? '') : String(error));
      throw error;
    }
  };
  const bound = methods.map((method) => {
    const command = commandOf(method);
    return [method, (argument: unknown) => run(method, command, argument)];
  });
  // Safe: the commands have the types of the port.
  const commands = Object.fromEntries(bound) as Pick<Store, Method>;
  return {
    turns: database.memory,
    ...commands,
    searchMessages: (query) => searches.run(query, () => commands.searchMessages(query)),
    leaseCopies: (request) => handOver.lease(request, (asked) => commands.leaseCopies(asked)),
    endWait: (wait) => handOver.endWait(wait),
    async appendMessage(plan) {
      const result = await batcherOf(batchers, plan.sessionId).append(plan);
      filler.noteSend(plan.sessionId);
      return result;
    },
    async close() {
      await Promise.all(batchers.map((batcher) => batcher.drained()));
      await filler.stop();
      await database.close();
      await sendPool.end();
    },
  };
}

const noWaits: HandOverOptions = { clock: { now: () => 0, monotonic: () => 0 }, onHanded() {} };

async function prepare(url: string, name: string): Promise<void> {
  let client: Client | undefined;
  try {
    client = openClientWithoutTimeouts(url, name);
    await client.connect();
    await requireWritable(client);
    await migrate(client);
  } catch (error) {
    throw cannotOpen(url, error);
  } finally {
    await client?.end().catch(() => {});
  }
}

async function runCommand(database: Database, command: Command, argument: unknown): Promise<unknown> {
  const { durability, run, isDone, atOnce, undo } = command;
  if (durability === 'look') return database.look((tx) => run(tx, argument));
  if (durability === 'read') return database.read((tx) => run(tx, argument));
  if (atOnce !== undefined && undo !== undefined) {
    const done = await database.once(
      (tx) => atOnce(tx, argument),
      (tx) => undo(tx, argument),
    );
    if (done !== undefined) return done;
  }
  const commit = durability === 'relaxed' || durability === 'flushed' ? durability : 'durable';
  const ordered = durability === 'ordered' ? [sessionOf(argument)] : [];
  const evidence = isDone === undefined ? {} : { isDone: (tx: Tx) => isDone(tx, argument) };
  return database.write({ commit, ordered, ...evidence }, (tx) => run(tx, argument));
}

function sessionOf(argument: unknown): string {
  return (argument as { sessionId: string }).sessionId;
}

function batcherOf(batchers: readonly SendBatcher[], sessionId: string): SendBatcher {
  let hash = 0;
  for (let index = 0; index < sessionId.length; index++) hash = (hash * 31 + sessionId.charCodeAt(index)) >>> 0;
  const batcher = batchers[hash % batchers.length];
  if (batcher === undefined) throw new Error('a store has at least one batcher');
  return batcher;
}
