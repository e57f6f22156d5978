// Decides whether a request with a known idempotency key is a retry. Pure.
import { HubError } from '../../contract/errors.js';
import type { IdempotencyKey } from '../../ports/store.js';

/** Refuses the same key with another request. */
export function requireSameRequest({ key, hash }: IdempotencyKey, firstHash: string): void {
  if (firstHash === hash) return;
  throw new HubError('IDEMPOTENCY_CONFLICT', `The key '${key}' was used for another request.`, {
    hint: 'Use a new key for a new message; the same key only to retry the same one.',
    details: { idempotencyKey: key },
  });
}
