// Errors that callers see: one table of codes, one error class.

export type Retry = 'never' | 'after_fixing_input' | 'later';

interface ErrorKind {
  readonly status: number;
  readonly retry: Retry;
  readonly exitCode: number;
}

const fix = (status: number, exitCode = 4): ErrorKind => ({ status, retry: 'after_fixing_input', exitCode });
const never = (status: number, exitCode = 5): ErrorKind => ({ status, retry: 'never', exitCode });
const later = (status: number, exitCode = 6): ErrorKind => ({ status, retry: 'later', exitCode });

/** HTTP status, retry advice and CLI exit code of each error code. A test compares docs/errors.md with this table. */
export const errorKinds = {
  INVALID_INPUT: fix(400),
  UNKNOWN_FIELD: fix(400),
  CONTENT_EMPTY: fix(400),
  TOO_LARGE: fix(413),
  JSON_INVALID: fix(400),
  JSON_TOO_DEEP: fix(400),
  JSON_TOO_MANY_VALUES: fix(400),
  BODY_TOO_LARGE: fix(413),
  HTTP_INVALID: fix(400),
  HEADERS_TOO_LARGE: fix(431),
  REQUEST_TIMEOUT: later(408),
  OPERATION_UNKNOWN: fix(404),
  ROUTE_UNKNOWN: fix(404),
  METHOD_NOT_ALLOWED: fix(405),
  IDENTITY_REQUIRED: fix(401),
  KEY_REQUIRED: fix(401, 5),
  KEY_INVALID: fix(401, 5),
  KEY_UNKNOWN: fix(404),
  KEY_IN_URL: fix(400, 5),
  IDENTITY_MISMATCH: never(403),
  FORBIDDEN: fix(403, 5),
  HOST_REFUSED: never(403),
  ORIGIN_REFUSED: never(403),
  FORWARDED_REFUSED: fix(403, 5),
  ROLE_FORBIDDEN: fix(403),
  ID_RESERVED: fix(409),
  ID_TAKEN: fix(409),
  AGENT_TAKEN: fix(409),
  AGENT_UNKNOWN: fix(404),
  PARTICIPANTS_UNKNOWN: fix(404),
  THREAD_UNKNOWN: fix(404),
  THREAD_CLOSED: fix(409),
  TARGET_UNKNOWN: fix(404),
  GROUP_UNKNOWN: fix(404),
  GROUP_EMPTY: fix(409),
  MESSAGE_UNKNOWN: fix(404),
  ATTACHMENT_UNKNOWN: fix(404),
  DEAD_LETTER_UNKNOWN: fix(404),
  PERSON_UNKNOWN: fix(404),
  DEVICE_UNKNOWN: fix(404),
  DEVICE_UNVERIFIED: fix(403, 5),
  PAIRING_INVALID: fix(400, 5),
  SIGN_IN_FAILED: fix(401, 5),
  IDEMPOTENCY_CONFLICT: fix(409),
  E2E_REQUIRED: fix(409),
  HUB_SECRET_MISMATCH: later(503),
  QUESTION_UNKNOWN: fix(404),
  ALREADY_ANSWERED: never(409),
  QUESTION_CLOSED: never(409),
  NO_PERSON: fix(409),
  NOT_A_PERSON: fix(409),
  ENVELOPE_INVALID: fix(400),
  SESSION_UNKNOWN: fix(404),
  SESSION_CLOSED: fix(409),
  SESSION_TAKEN: fix(409),
  IMPORT_INVALID: fix(400),
  CHANNEL_UNKNOWN: fix(404),
  ENDPOINT_REFUSED: fix(400),
  WAKE_ROUTE_UNKNOWN: fix(404),
  WAKE_ROUTE_TAKEN: fix(409),
  WAKE_UNKNOWN: fix(404),
  LIMIT_REACHED: later(429),
  RATE_LIMITED: later(429),
  INBOX_FULL: later(429),
  LOOP_GUARD: later(429),
  QUERY_TOO_BROAD: fix(400),
  BUSY: later(503),
  TOO_MANY_WAITS: later(503),
  TOO_MANY_CONNECTIONS: later(503),
  NO_RESPONSES: later(504),
  STORE_FULL: later(507),
  STORE_FAILED: later(503),
  STORE_DAMAGED: fix(503, 3),
  STORE_UNAVAILABLE: later(503),
  CANCELLED: later(499),
  INTERNAL: later(500, 70),
  USAGE: fix(400, 2),
  DATA_IN_USE: later(409, 3),
  DATA_NOT_WRITABLE: fix(500, 3),
  DATA_NOT_YOURS: fix(403, 3),
  FILE_NOT_EDITABLE: fix(409, 3),
  DATABASE_NEWER: fix(500, 3),
  DATABASE_IN_USE: later(409, 3),
  DATABASE_CHANGED: fix(409, 3),
  PORT_IN_USE: fix(500, 3),
  OPEN_MODE_BEYOND_LOOPBACK: fix(500, 2),
  HUB_UNREACHABLE: later(503, 6),
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorKinds;

export interface ErrorObject {
  code: ErrorCode;
  message: string;
  hint: string;
  retry: Retry;
  details: Record<string, unknown>;
}

export interface ErrorOptions {
  /** The next call to make. */
  hint: string;
  details?: Record<string, unknown>;
  cause?: unknown;
}

/** An error that a caller can act on. A broken invariant is a bug and throws a plain Error. */
export class HubError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly details: Record<string, unknown>;

  constructor(code: ErrorCode, message: string, options: ErrorOptions) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'HubError';
    this.code = code;
    this.hint = options.hint;
    this.details = options.details ?? {};
  }

  toObject(): ErrorObject {
    const { code, message, hint, details } = this;
    return { code, message, hint, retry: errorKinds[code].retry, details };
  }
}

export function hubErrorFrom(object: Pick<ErrorObject, 'code' | 'message' | 'hint' | 'details'>): HubError {
  return new HubError(object.code, object.message, { hint: object.hint, details: object.details });
}

/** Converts anything thrown to an error for the caller. An unexpected error becomes INTERNAL, without its text. */
export function toHubError(thrown: unknown): HubError {
  if (thrown instanceof HubError) return thrown;
  return new HubError('INTERNAL', 'The hub failed to do this.', {
    hint: 'Try again. If it fails again, see the log line of this call on the hub.',
    cause: thrown,
  });
}
