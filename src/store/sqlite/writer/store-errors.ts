// What callers are told when the database cannot be read or written.
import { HubError } from '../../../contract/errors.js';
import { shellArgument } from '../../../contract/shell-argument.js';
import { isBusy, isDamaged, isFull, isIoError } from './result-code.js';

/** Undefined for anything but an error of the database file: a bug, then. */
export function storeError(error: unknown): HubError | undefined {
  if (error instanceof HubError) return error;
  if (isFull(error)) return storeFull(error);
  if (isBusy(error)) return storeBusy(error);
  if (isDamaged(error)) return malformed(error);
  if (isIoError(error)) return storeFailed(error);
  return undefined;
}

export function storeFull(cause?: unknown): HubError {
  return new HubError('STORE_FULL', 'The disk is full. Nothing of this call was stored.', {
    hint: 'Try again once the hub has space; it recovers by itself.',
    cause,
  });
}

export function storeFailed(cause?: unknown): HubError {
  return new HubError(
    'STORE_FAILED',
    `The disk refused a read or a write${reason(cause)}. Nothing of this call was stored.`,
    {
      hint: "Try again later; the hub recovers by itself. If it lasts, see the disk and the system's log.",
      cause,
    },
  );
}

/** While the hub runs. */
export function malformed(cause: unknown, folder?: string): HubError {
  return storeDamaged(`The database is malformed${reason(cause)}. Nothing of this call was stored.`, { cause, folder });
}

export function storeDamaged(
  message: string,
  { cause, folder }: { cause?: unknown; folder?: string | undefined },
): HubError {
  const data = folder === undefined ? 'DIR' : shellArgument(folder);
  return new HubError('STORE_DAMAGED', message, {
    hint: `Stop the hub, see what is wrong with \`coterie doctor --data ${data}\`, and restore the folder from a backup.`,
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

function reason(cause: unknown): string {
  return cause instanceof Error ? ` (${cause.message})` : '';
}
