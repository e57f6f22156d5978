// Keys for tests, made as the command line makes them: in the store.
import { makeKeyText } from '../../dist/access/key-text.js';
import type { KeyCapability } from '../../dist/contract/operation.js';
import type { Store } from '../../dist/ports/store.js';
import { eventually } from './eventually.js';
import { hubsAt } from './hub-team.js';

export interface TestKey {
  id: string;
  /** As a request carries it. */
  text: string;
}

export async function makeKey(
  store: Store,
  { agentId, capabilities = ['send', 'read'] }: { agentId: string; capabilities?: KeyCapability[] },
): Promise<TestKey> {
  const { id, text, hash } = makeKeyText();
  const [sessionId, at] = ['default', Date.now()];
  const audit = { sessionId, at, actor: 'cli', keyId: null, address: '', act: 'keys create', target: id, details: {} };
  const use = { isOperator: true, isPerson: false, label: '', createdBy: 'cli', expiresAt: null };
  await store.createKey({ id, hash, sessionId, agentId, capabilities, at, audit, ...use });
  return { id, text };
}

/** Waits until every hub has seen the first key. */
export async function untilClosed(url: string): Promise<void> {
  for (const hub of hubsAt(url)) {
    await eventually('open mode has ended', async () => (await fetch(`${hub}/metrics`)).status === 401);
  }
}
