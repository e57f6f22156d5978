// What an error of the database means for the call that met it.
import { DatabaseError } from 'pg';
import { HubError } from '../../../contract/errors.js';

const networkCodes = `ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN ENOENT
  EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN`;

const lostCodes = new Set([
  ...networkCodes.split(/\s+/),
  // shut down
  '57P01',
  // crashed
  '57P02',
  // not up yet
  '57P03',
  // too many connections
  '53300',
  // disconnected for idling in a transaction
  '25P03',
  // a database that is not there, as on a server that is just being set up
  '3D000',
]);

/** Around a failover the address may lead to a standby, or to a primary that had to step back. */
const readOnlyCode = '25006';

const lostWords =
  /connection terminated|connection error|not queryable|timeout exceeded|query read timeout|SSL connection|SASL/i;

/** The server, or the way to it, is not what the address promises. */
const tlsCodes = /CERT|LEAF_SIGNATURE|^ERR_(TLS|SSL)_|^EPROTO$/;

/** No server that may be used: it takes no writes. */
export class ReadOnlyServer extends Error {
  readonly code = readOnlyCode;

  constructor() {
    super('the server is read-only');
  }
}

export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** The connection is of no use any more; whatever was under way on it may come again on another. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error);
  // 08: of the connection; 28: not let in
  if (lostCodes.has(code) || /^(08|28)/.test(code)) return true;
  if (isOutOfDate(error) || isReadOnly(error) || isTlsRefusal(error)) return true;
  return error instanceof Error && !(error instanceof HubError) && lostWords.test(error.message);
}

/** Someone holds a session for longer than a batch waits. */
export function isHeldUp(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/**
 * A migration changed the type of a column that a prepared statement answers with: on this connection it fails from now
 * on. Told by the server's own name for the place, since its words may be of any language.
 */
function isOutOfDate(error: unknown): boolean {
  return codeOf(error) === '0A000' && error instanceof DatabaseError && error.routine === 'RevalidateCachedQuery';
}

export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === readOnlyCode;
}

export function isTlsRefusal(error: unknown): boolean {
  return tlsCodes.test(codeOf(error));
}

/** Serialization failure, deadlock, lock time-out: the transaction was undone and may run again. */
export function isConflict(error: unknown): boolean {
  return ['40001', '40P01', '55P03', '57014'].includes(codeOf(error));
}

export function isFull(error: unknown): boolean {
  return codeOf(error) === '53100';
}

/** A character that no text column takes. */
export function isUnstorable(error: unknown): boolean {
  return ['22021', '22P05'].includes(codeOf(error));
}

export function storeFull(cause: unknown): HubError {
  return new HubError('STORE_FULL', "The database's disk is full. Nothing of this call was stored.", {
    hint: 'Try again once it has space; the hub recovers by itself.',
    cause,
  });
}

export function unstorable(cause: unknown): HubError {
  return new HubError('INVALID_INPUT', 'A text has a NUL character, which the database cannot keep.', {
    hint: 'Leave the character U+0000 out.',
    cause,
  });
}

export function notStored(cause: unknown): HubError {
  return new HubError('STORE_UNAVAILABLE', 'The database cannot be reached. Nothing of this call was stored.', {
    hint: 'Try again in a few seconds; the hub connects again by itself.',
    details: { outcome: 'not_stored' },
    cause,
  });
}

export function outcomeUnknown(cause: unknown): HubError {
  return new HubError(
    'STORE_UNAVAILABLE',
    'The connection to the database broke while this call was stored; whether it was is unknown.',
    {
      hint: 'Try again with the same idempotency_key: it settles whether the first attempt was stored.',
      details: { outcome: 'unknown' },
      cause,
    },
  );
}
