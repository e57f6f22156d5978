// Runs one batch of commands: writes share a transaction, and a refused one is rolled back alone; reads follow the commit.
import { HubError, toHubError, type ErrorObject } from '../../../contract/errors.js';
import { durabilityOf, runCommand, type CommandName } from '../commands.js';
import type { Tx } from './transaction.js';
import { isBusy, isFull } from './result-code.js';

/** A pair, because copying field names between threads costs more than the values. */
export type CommandCall = readonly [name: CommandName, argument: unknown];

export type CommandAnswer = { ok: unknown } | { refused: ErrorObject; bug?: string };

/** The outcome of the commit is unknown: the hub must stop, because it cannot continue after a failed fsync. */
export class CommitUnknown extends Error {}

export function runBatch(tx: Tx, calls: readonly CommandCall[]): CommandAnswer[] {
  const writes = calls.filter((call) => durabilityOf(call[0]) !== 'read');
  const written = writes.length === 0 ? [] : writeTogether(tx, writes);
  let next = 0;
  return calls.map((call) =>
    durabilityOf(call[0]) === 'read' ? attempt(() => runCommand(tx, ...call)) : (written[next++] ?? noAnswer()),
  );
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
  } catch (error) {
    if (error instanceof CommitUnknown) throw error;
    rollBack(tx);
    const refusal = refusalOf(error);
    return calls.map(() => refusal);
  } finally {
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
    if (!isFull(error) && !isBusy(error)) throw error;
    if (tx.isOpen) tx.control('rollback');
  }
}

type WriteOne = (tx: Tx, call: CommandCall) => CommandAnswer | undefined;

/** Undefined when a command failed after it had written; nothing is committed then. */
function commitTogether(tx: Tx, calls: readonly CommandCall[], write: WriteOne): CommandAnswer[] | undefined {
  tx.control('begin immediate');
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
  commit(tx);
  return answers;
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

function rollBack(tx: Tx): void {
  tx.discardDeferredRows();
  tx.notices.length = 0;
  if (tx.isOpen) tx.control('rollback');
  tx.memory.forgetAll();
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
  const noticesBefore = tx.notices.length;
  try {
    const ok = runCommand(tx, ...call);
    tx.insertDeferredRows();
    return { ok };
  } catch (error) {
    if (endsTheBatch(tx, error)) throw error;
    tx.discardDeferredRows();
    tx.notices.length = noticesBefore;
    tx.control('rollback to one');
    tx.memory.forgetAll();
    return refusalOf(error);
  } finally {
    if (tx.isOpen) tx.control('release one');
  }
}

/** SQLite has ended the whole transaction, or the disk is full. */
function endsTheBatch(tx: Tx, error: unknown): boolean {
  return !tx.isOpen || isFull(error);
}

function commit(tx: Tx): void {
  try {
    tx.control('commit');
  } catch (error) {
    // With a full disk or a busy database nothing is committed; after any other error the outcome is unknown.
    if (isFull(error) || isBusy(error)) throw error;
    throw new CommitUnknown('commit failed', { cause: error });
  }
}

function attempt(run: () => unknown): CommandAnswer {
  try {
    return { ok: run() };
  } catch (error) {
    return refusalOf(error);
  }
}

function refusalOf(error: unknown): CommandAnswer {
  if (error instanceof HubError) return { refused: error.toObject() };
  if (isFull(error)) return { refused: storeFull(error).toObject() };
  if (isBusy(error)) return { refused: storeBusy(error).toObject() };
  const bug = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { refused: toHubError(error).toObject(), bug };
}

function noAnswer(): CommandAnswer {
  return { refused: toHubError(new Error('no answer')).toObject() };
}

function storeFull(cause: unknown): HubError {
  return new HubError('STORE_FULL', 'The disk is full. Nothing of this call was stored.', {
    hint: 'Try again once the hub has space; it recovers by itself.',
    cause,
  });
}

/** The command line writes keys beside the hub: one of them held the file for longer than the other waits. */
function storeBusy(cause: unknown): HubError {
  return new HubError('STORE_UNAVAILABLE', 'The database is being written to. Nothing of this call was stored.', {
    hint: 'Try again in a moment. A large import may take a minute.',
    cause,
  });
}
