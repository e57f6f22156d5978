// Classifies errors of the database.
import { DatabaseError } from 'pg';
import { HubError } from '../../../contract/errors.js';

const networkCodes = `ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN ENOENT
  EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN`;

const lostCodes = new Set([
  ...networkCodes.split(/\s+/),
  // server shut down
  '57P01',
  // server crashed
  '57P02',
  // server starting up
  '57P03',
  // too many connections
  '53300',
  // idle-in-transaction timeout
  '25P03',
  // database missing, as on a server that is still being set up
  '3D000',
]);

/** During a failover the URL may lead to a standby or a demoted primary. */
const readOnlyCode = '25006';

const lostMessages =
  /connection terminated|connection error|not queryable|timeout exceeded|query read timeout|SSL connection|SASL/i;

/** TLS errors: the identity of the server cannot be verified. */
const tlsCodes = /CERT|LEAF_SIGNATURE|^ERR_(TLS|SSL)_|^EPROTO$/;

/** The server accepts no writes and may not be used. */
export class ReadOnlyServer extends Error {
  readonly code = readOnlyCode;

  constructor() {
    super('the server is read-only');
  }
}

export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** The connection is unusable; the call may be retried on another one. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error);
  // 08: connection errors; 28: authentication errors
  if (lostCodes.has(code) || /^(08|28)/.test(code)) return true;
  if (isStalePreparedStatement(error) || isReadOnly(error) || isTlsRefusal(error)) return true;
  return error instanceof Error && !(error instanceof HubError) && lostMessages.test(error.message);
}

/** Another transaction holds a session's order lock for longer than a batch waits. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/**
 * A migration changed a result column of a prepared statement, which fails from now on on this connection. Recognized by
 * the name of the server's routine, because the message may be in any language.
 */
function isStalePreparedStatement(error: unknown): boolean {
  return codeOf(error) === '0A000' && error instanceof DatabaseError && error.routine === 'RevalidateCachedQuery';
}

export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === readOnlyCode;
}

export function isTlsRefusal(error: unknown): boolean {
  return tlsCodes.test(codeOf(error));
}

/** Serialization failure, deadlock, lock or statement timeout: rolled back, may be retried. */
export function isConflict(error: unknown): boolean {
  return ['40001', '40P01', '55P03', '57014'].includes(codeOf(error));
}

export function isFull(error: unknown): boolean {
  return codeOf(error) === '53100';
}

/** A character that a text column cannot store. */
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
  return new HubError('INVALID_INPUT', 'A text has a NUL character, which the database cannot store.', {
    hint: 'Remove the character U+0000.',
    cause,
  });
}

export function notStored(cause: unknown): HubError {
  return new HubError('STORE_UNAVAILABLE', 'The database cannot be reached. Nothing of this call was stored.', {
    hint: 'Try again in a few seconds; the hub reconnects by itself.',
    details: { outcome: 'not_stored' },
    cause,
  });
}

export function outcomeUnknown(cause: unknown): HubError {
  return new HubError(
    'STORE_UNAVAILABLE',
    'The connection to the database was lost while this call was stored; whether it was stored is unknown.',
    {
      hint: 'Call again with the same idempotency_key: it is stored only once.',
      details: { outcome: 'unknown' },
      cause,
    },
  );
}
