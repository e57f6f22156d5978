// The store port on SQLite: every method is a command for the writer thread.
import type { Store } from '../../ports/store.js';
import { commandNames, type CommandName } from './commands.js';
import { GroupCommit, type GroupCommitOptions } from './writer/group-commit.js';
import { packSend, transfersOf, unpackResult, type PackedResult } from './send/packed-send.js';

/** Losing one costs a marked redelivery or a stale presence, so they may wait and share the next commit. */
const mayDefer: ReadonlySet<CommandName> = new Set(['confirmLease', 'noteSeen']);

export async function openSqliteStore(options: GroupCommitOptions): Promise<Store> {
  const queue = await GroupCommit.start(options);
  const methods = commandNames.map((command) => {
    return [command, (argument: unknown) => queue.submit(command, argument, mayDefer.has(command))];
  });
  return {
    // Safe: the commands have the types of the port; the thread boundary loses them.
    ...(Object.fromEntries(methods) as Omit<Store, 'close' | 'appendMessage'>),
    async appendMessage(plan) {
      const transfers = transfersOf(plan);
      return unpackResult(
        (await queue.submit('appendPacked', packSend(plan), false, transfers)) as PackedResult,
        plan.sender,
      );
    },
    close: () => queue.close(),
  };
}
