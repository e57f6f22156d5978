// A follower of the live feed calls no operation, but is identified by the same rules.
import { authorize } from '../access/authorize.js';
import { identify } from '../access/identify.js';
import { operations } from '../contract/operations/index.js';
import type { Caller, Connection } from '../ports/caller.js';

/** Callers that may read threads may follow the session. */
export function identifyFollower(connection: Connection): Caller {
  const caller = identify(operations.getThread, connection, undefined);
  authorize(operations.getThread, caller);
  return caller;
}
