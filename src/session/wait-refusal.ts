// Why nobody should wait in a session: nothing can come any more.
import type { HubError } from '../contract/errors.js';
import type { Store } from '../ports/store.js';
import { sessionClosed } from './decide-closing.js';

/** Undefined while the session is open. */
export async function waitRefusal(
  store: Pick<Store, 'sessionClosure'>,
  sessionId: string,
): Promise<HubError | undefined> {
  const closure = await store.sessionClosure({ sessionId });
  return closure === null ? undefined : sessionClosed(sessionId, closure);
}
