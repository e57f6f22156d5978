// The store port on SQLite: every method is a command for the writer's thread, or a long read for the reader's.
import type { Store } from '../../ports/store.js';
import { commandNames, durabilityOf, type CommandName } from './commands.js';
import { ReadQueue } from './reader/read-queue.js';
import { GroupCommit, type GroupCommitOptions } from './writer/group-commit.js';
import { packSend, transfersOf, unpackResult, type PackedResult } from './send/packed-send.js';

/** Losing one costs a marked redelivery or a stale presence, so they may wait and share the next commit. */
const mayDefer: ReadonlySet<CommandName> = new Set(['confirmLease', 'noteSeen']);

export interface SqliteStoreOptions extends GroupCommitOptions {
  /** A long read took so many milliseconds, and so many others are left. */
  onRead?(ms: number, queued: number): void;
}

export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const writer = await GroupCommit.start(options);
  // After the writer, which migrates the database.
  const reader = new ReadQueue({
    folder: options.folder,
    written: () => writer.written(),
    onRead: (ms, queued) => options.onRead?.(ms, queued),
    onBug: (command, stack) => options.onBug(command, stack),
  });
  const methods = commandNames.map((command) => {
    const isLong = durabilityOf(command) === 'long';
    const submit = (argument: unknown) =>
      isLong ? reader.submit(command, argument) : writer.submit(command, argument, mayDefer.has(command));
    return [command, submit];
  });
  return {
    // Safe: the commands have the types of the port; the thread boundary loses them.
    ...(Object.fromEntries(methods) as Omit<Store, 'close' | 'appendMessage'>),
    async appendMessage(plan) {
      const transfers = transfersOf(plan);
      return unpackResult(
        (await writer.submit('appendPacked', packSend(plan), false, transfers)) as PackedResult,
        plan.sender,
      );
    },
    async close() {
      await reader.close();
      await writer.close();
    },
  };
}
