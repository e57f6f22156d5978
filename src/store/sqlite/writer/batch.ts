// Runs one batch of commands: writes share a transaction, and a refused one is rolled back alone; reads follow the commit.
import { toHubError, type ErrorObject } from '../../../contract/errors.js';
import type { HandedOver } from '../../../ports/store.js';
import { durabilityOf, kindOf, runCommand, type CommandName } from '../commands.js';
import { handToWaits } from '../inbox/hand-over.js';
import { isFollowed, OnlyMail } from '../inbox/only-mail.js';
import { commit, CommitUnknown, isOutOfRoom, rollBack } from './commit.js';
import { isHoldable } from './held-writes.js';
import { isBusy, isDamaged, isIoError } from './result-code.js';
import { storeError } from './store-errors.js';
import type { Tx } from './transaction.js';

/** A pair, because copying field names between threads costs more than the values. */
export type CommandCall = readonly [name: CommandName, argument: unknown];

export type CommandAnswer = { ok: unknown } | { refused: ErrorObject; bug?: string };

export function runBatch(tx: Tx, calls: readonly CommandCall[]): CommandAnswer[] {
  const writes = calls.filter((call) => kindOf(call[0]) === 'writes');
  const written = writes.length === 0 ? [] : writeOrHold(tx, writes);
  let next = 0;
  return calls.map((call) =>
    kindOf(call[0]) === 'reads' ? attempt(() => runCommand(tx, ...call), tx) : (written[next++] ?? noAnswer()),
  );
}

/** While the disk takes no write, sends are refused, and leases and confirmations are held in memory. */
function writeOrHold(tx: Tx, calls: readonly CommandCall[]): CommandAnswer[] {
  const { condition } = tx;
  const refusal = condition?.refusal(tx);
  if (condition !== undefined && refusal !== undefined) {
    return calls.map((call) => attempt(() => condition.held.run(tx, call, refusal)));
  }
  try {
    return acknowledge(tx, writeTogether(tx, calls));
  } catch (error) {
    if (error instanceof CommitUnknown) throw error;
    rollBack(tx);
    return isOutOfRoom(error) ? writeWithoutRoom(tx, calls, error) : calls.map(() => refusalOf(error, tx));
  }
}

function writeWithoutRoom(tx: Tx, calls: readonly CommandCall[], error: unknown): CommandAnswer[] {
  const { condition } = tx;
  if (condition === undefined) return calls.map(() => refusalOf(error));
  const refusal = condition.outOfRoom(error);
  const held = calls.filter((call) => isHoldable(call));
  const kept = held.length === 0 ? undefined : condition.withReserve(tx, () => writeAlone(tx, held));
  // At the bound nothing is held: the next batch is written, in a transaction of its own.
  if (condition.isAtBound) return calls.map((call) => kept?.get(call) ?? refusalOf(refusal));
  return calls.map((call) => attempt(() => condition.held.run(tx, call, refusal)));
}

/** Undefined if there is no room for these either. */
function writeAlone(tx: Tx, calls: readonly CommandCall[]): Map<CommandCall, CommandAnswer> | undefined {
  try {
    const answers = writeTogether(tx, calls);
    return new Map(calls.map((call, index) => [call, answers[index] ?? noAnswer()]));
  } catch (error) {
    if (error instanceof CommitUnknown || !isOutOfRoom(error)) throw error;
    rollBack(tx);
    return undefined;
  }
}

/** Nothing is acknowledged that was committed to a file that is gone. */
function acknowledge(tx: Tx, answers: CommandAnswer[]): CommandAnswer[] {
  const gone = tx.condition?.checkFiles();
  if (gone === undefined) return answers;
  tx.notices.length = 0;
  tx.handed = [];
  return answers.map(() => ({ refused: gone.toObject() }));
}

/**
 * First without savepoints: commands check before they write, so a refusal rarely has anything to roll back. If a command
 * fails after it has written, the whole batch is rolled back and run again with a savepoint around each command.
 */
function writeTogether(tx: Tx, calls: readonly CommandCall[]): CommandAnswer[] {
  const isDurable = calls.some((call) => durabilityOf(call[0]) === 'durable');
  if (!isDurable) tx.set('synchronous = normal');
  let answers: CommandAnswer[];
  try {
    answers = commitTogether(tx, calls, writeOne) ?? commitTogether(tx, calls, writeOneGuarded) ?? calls.map(noAnswer);
  } finally {
    if (tx.isOpen) rollBack(tx);
    if (!isDurable) tx.set('synchronous = full');
  }
  // A message must be on disk before anyone sees it; otherwise its seq could be assigned again.
  if (!isDurable && tx.notices.length > 0) flush(tx);
  return answers;
}

/** An fsync covers all earlier commits. */
function flush(tx: Tx): void {
  try {
    tx.control('begin immediate');
    tx.run("update watermark set n = n + 1 where name = 'flushed'");
    commit(tx);
  } catch (error) {
    // Everything is committed; with a full disk the next fsync will cover it.
    if (!isOutOfRoom(error) && !isBusy(error)) throw error;
    if (tx.isOpen) tx.control('rollback');
  }
}

type WriteOne = (tx: Tx, call: CommandCall) => CommandAnswer | undefined;

/** Undefined when a command failed after it had written; nothing is committed then. */
function commitTogether(tx: Tx, calls: readonly CommandCall[], write: WriteOne): CommandAnswer[] | undefined {
  tx.control('begin immediate');
  // A guarded write may be rolled back alone.
  tx.onlyMail = write === writeOne && calls.every(([name]) => isFollowed(name)) ? new OnlyMail() : null;
  const answers: CommandAnswer[] = [];
  for (const call of calls) {
    const answer = write(tx, call);
    if (answer === undefined) {
      rollBack(tx);
      return undefined;
    }
    answers.push(answer);
  }
  if (!tryInsertDeferredRows(tx)) {
    rollBack(tx);
    return undefined;
  }
  tx.handed = tx.awaitedCopies.length === 0 ? [] : handOver(tx);
  tx.onlyMail = null;
  commit(tx);
  tx.onRollback.length = 0;
  return answers;
}

/** If it fails, nothing is handed over: the hints after the commit let the waits read. */
function handOver(tx: Tx): HandedOver[] {
  const before = { notices: tx.notices.length, changes: tx.onRollback.length };
  tx.control('savepoint hand_over');
  try {
    const handed = handToWaits(tx);
    tx.insertDeferredRows();
    tx.control('release hand_over');
    return handed;
  } catch (error) {
    if (endsTheBatch(tx, error)) throw error;
    tx.discardDeferredRows();
    tx.awaitedCopies.length = 0;
    tx.notices.length = before.notices;
    tx.undoChanges(before.changes);
    tx.control('rollback to hand_over');
    tx.control('release hand_over');
    tx.memory.forgetAll();
    tx.bugs.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return [];
  }
}

function tryInsertDeferredRows(tx: Tx): boolean {
  try {
    tx.insertDeferredRows();
    return true;
  } catch (error) {
    if (endsTheBatch(tx, error)) throw error;
    return false;
  }
}

function writeOne(tx: Tx, call: CommandCall): CommandAnswer | undefined {
  tx.hasWritten = false;
  try {
    return { ok: runCommand(tx, ...call) };
  } catch (error) {
    if (endsTheBatch(tx, error)) throw error;
    return tx.hasWritten ? undefined : refusalOf(error);
  }
}

function writeOneGuarded(tx: Tx, call: CommandCall): CommandAnswer {
  tx.control('savepoint one');
  const before = { notices: tx.notices.length, changes: tx.onRollback.length, copies: tx.awaitedCopies.length };
  try {
    const ok = runCommand(tx, ...call);
    tx.insertDeferredRows();
    return { ok };
  } catch (error) {
    if (endsTheBatch(tx, error)) throw error;
    tx.discardDeferredRows();
    tx.notices.length = before.notices;
    tx.undoChanges(before.changes);
    tx.awaitedCopies.length = before.copies;
    tx.control('rollback to one');
    tx.memory.forgetAll();
    return refusalOf(error);
  } finally {
    if (tx.isOpen) tx.control('release one');
  }
}

/** SQLite has ended the whole transaction, or the database cannot be used. */
function endsTheBatch(tx: Tx, error: unknown): boolean {
  return !tx.isOpen || isOutOfRoom(error) || isIoError(error) || isDamaged(error);
}

export function attempt(run: () => unknown, tx?: Tx): CommandAnswer {
  try {
    return { ok: run() };
  } catch (error) {
    if (error instanceof CommitUnknown) throw error;
    return refusalOf(error, tx);
  }
}

function refusalOf(error: unknown, tx?: Tx): CommandAnswer {
  const told = tx?.condition?.noteDamage(error) ?? storeError(error);
  if (told !== undefined) return { refused: told.toObject() };
  const bug = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { refused: toHubError(error).toObject(), bug };
}

function noAnswer(): CommandAnswer {
  return { refused: toHubError(new Error('no answer')).toObject() };
}
