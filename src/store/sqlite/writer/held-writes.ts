// Leases and confirmations while the disk takes no write: a transaction that stays open, with its pages in memory. Whatever
// reads in this thread sees it. It is committed once there is room. See docs/decisions/0025-reading-on-a-full-disk.md.
import type { HubError } from '../../../contract/errors.js';
import type { LeaseRequest, WaitReference } from '../../../ports/store.js';
import { runCommand, type CommandName } from '../commands.js';
import { commit, CommitUnknown, isOutOfRoom, rollBack } from './commit.js';
import type { HeldNote } from './held-note.js';
import type { Tx } from './transaction.js';

type Call = readonly [name: CommandName, argument: unknown];

const holdable: ReadonlySet<CommandName> = new Set([
  'leaseCopies',
  'endWait',
  'takeResponses',
  'confirmLease',
  'releaseLease',
  'reopenCopies',
  'reap',
]);

/** Each changes a few pages, and all of them stay in memory. */
const callsMax = 10_000;

export function isHoldable([name]: Call): boolean {
  return holdable.has(name);
}

export class HeldWrites {
  readonly #note: HeldNote;
  /** To run them again, at the same time: a commit that the disk refuses ends the transaction. */
  #calls: { call: Call; time: number | undefined }[] = [];

  constructor(note: HeldNote) {
    this.#note = note;
  }

  get count(): number {
    return this.#calls.length;
  }

  /** Throws `refusal` if the call cannot be held. */
  run(tx: Tx, call: Call, refusal: HubError): unknown {
    if (!isHoldable(call) || this.#calls.length >= callsMax || !this.#begin(tx)) throw refusal;
    tx.control('savepoint held');
    try {
      const before = changesOf(tx);
      const repeated = repeatable(tx, call);
      const result = runInside(tx, call);
      // A message must be on disk before anyone sees it: a receipt waits until there is room.
      if (tx.notices.length > 0) throw refusal;
      if (changesOf(tx) > before) this.#calls.push({ call: repeated, time: tx.clockJumps.time });
      tx.onRollback.length = 0;
      tx.control('release held');
      return result;
    } catch (error) {
      tx.discardDeferredRows();
      tx.notices.length = 0;
      tx.undoChanges(0);
      tx.awaitedCopies.length = 0;
      this.#undo(tx);
      tx.memory.forgetAll();
      throw error;
    }
  }

  /** False if the disk still refuses; everything is held as before then. */
  settle(tx: Tx): boolean {
    if (!tx.isHeld) return true;
    try {
      commit(tx);
    } catch (error) {
      if (!isOutOfRoom(error)) throw error;
      this.#runAgain(tx);
      return false;
    }
    this.#calls = [];
    tx.isHeld = false;
    tx.set('cache_spill = on');
    this.#note.set(false);
    return true;
  }

  /** The note is on disk before the first copy is handed out. */
  #begin(tx: Tx): boolean {
    if (tx.isHeld) return true;
    if (!this.#note.set(true)) return false;
    // Changed pages must not be written to the log to make room in the cache.
    tx.set('cache_spill = off');
    tx.control('begin immediate');
    tx.isHeld = true;
    return true;
  }

  /** An error may have ended the whole transaction, and the savepoint with it. */
  #undo(tx: Tx): void {
    if (!tx.isOpen) return this.#runAgain(tx);
    tx.control('rollback to held');
    tx.control('release held');
  }

  /** The same calls in the same order at the same times give the same result: no other write was committed in between. */
  #runAgain(tx: Tx): void {
    rollBack(tx);
    try {
      tx.control('begin immediate');
      for (const { call, time } of this.#calls) tx.clockJumps.runAt(time, () => runInside(tx, call));
    } catch (cause) {
      throw new CommitUnknown('held leases are lost', { cause });
    }
  }
}

/** What the call does to the database: a wait that is kept, or was, stays so when the transaction is run again. */
function repeatable(tx: Tx, [name, argument]: Call): Call {
  // Safe: the commands of these names have these arguments.
  if (name === 'leaseCopies') return [name, { ...(argument as LeaseRequest), wait: undefined }];
  if (name !== 'endWait') return [name, argument];
  const { sessionId, agentId, token } = argument as WaitReference;
  const keys = tx.handedUnseen.get(token)?.keys ?? [];
  return ['releaseLease', { sessionId, agentId, token, keys, unsent: true }];
}

function runInside(tx: Tx, call: Call): unknown {
  const result = runCommand(tx, ...call);
  tx.insertDeferredRows();
  return result;
}

function changesOf(tx: Tx): number {
  return tx.get<{ changes: number }>('select total_changes() as changes')?.changes ?? 0;
}
