// The store port on PostgreSQL, for several hubs at once: sends are batched, everything else runs in a
// transaction of its own.
import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { HubError } from '../../contract/errors.js';
import type { SharedTurns } from '../../ports/shared-turns.js';
import type { Appended, Store } from '../../ports/store.js';
import { commandOf, methods, type Command, type Method } from './commands.js';
import { cannotOpen } from './connection/cannot-open.js';
import { openUnhurriedClient, requireWritable } from './connection/connections.js';
import { Database } from './connection/database.js';
import { OpenConnections } from './connection/open-connections.js';
import type { Tx } from './connection/transaction.js';
import { migrate } from './connection/upgrade-schema.js';
import { SendBatcher } from './send/send-batcher.js';
import { WordFiller } from './search/word-filler.js';

export interface PostgresStoreOptions {
  url: string;
  /** Given by whoever finds out that the server may be another one. */
  connections?: OpenConnections;
  /** Times come from the hub and not from the database: for tests that move the clock. */
  usesHubTime?: boolean;
  onBatch: (commands: number, ms: number) => void;
  /** Messages the store wrote by itself: their readers are to be woken. */
  onNotices: (notices: readonly { sessionId: string; appended: Appended }[]) => void;
  onBug: (command: string, stack: string) => void;
}

/** A session's sends all go through one of them. More only make batches smaller. */
const batchersCount = 2;
/** A batch has sessions of many: one that is held up may not hold up the others for longer. */
const batcherLockMs = 500;
const connectionsMax = 10;
/** Opened only to learn what became of commits whose connections broke, which may be all the others. */
const spareMax = 2;
/** How long a call waits for a database that is away: less than a client's own patience. */
const timeoutMs = 10_000;

export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store & { turns: SharedTurns }> {
  const { url, connections = new OpenConnections(), usesHubTime = false, onNotices, onBatch, onBug } = options;
  const name = `coterie ${randomBytes(6).toString('hex')}`;
  await prepare(url, name);
  const pool = connections.openPool({ url, name, max: connectionsMax });
  const sendPool = connections.openPool({ url, name, max: batchersCount, lockMs: batcherLockMs });
  const sparePool = connections.openPool({ url, name, max: spareMax });
  const database = new Database({ pool, sparePool, usesHubTime, timeoutMs, onNotices });
  // Before anything is asked of it.
  for (const each of [pool, sendPool, sparePool]) each.on('connect', () => database.memory.forgetAll());
  const batchers = Array.from({ length: batchersCount }, () => {
    return new SendBatcher({ database, pool: sendPool, timeoutMs, onBatch });
  });
  const filler = new WordFiller(database, onBug);
  filler.begin();
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
  return {
    // Each method resolves with what its command returns: the commands are typed by the port.
    turns: database.memory,
    ...(Object.fromEntries(bound) as Omit<Store, 'close' | 'appendMessage'>),
    async appendMessage(plan) {
      const result = await batcherOf(batchers, plan.sessionId).append(plan);
      filler.wrote(plan.sessionId);
      return result;
    },
    async close() {
      await Promise.all(batchers.map((batcher) => batcher.settled()));
      await filler.stop();
      await database.close();
      await sendPool.end();
    },
  };
}

async function prepare(url: string, name: string): Promise<void> {
  let client: Client | undefined;
  try {
    client = openUnhurriedClient(url, name);
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
  const commit = durability === 'relaxed' || durability === 'flushed' ? durability : 'settled';
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
