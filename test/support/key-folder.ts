// Keys in a data folder before a hub runs there.
import type { Store } from '../../dist/ports/store.js';
import { startHubInProcess } from './hub-in-process.js';
import { agentRights, makeKey } from './keys.js';

/** One for each agent. */
export async function makeKeysIn(data: string, ...agentIds: string[]): Promise<string[]> {
  let store: Store | undefined;
  const hub = await startHubInProcess({ data, wrapStore: (opened) => (store = opened) });
  if (store === undefined) throw new Error('a hub has a store');
  const keys: string[] = [];
  for (const agentId of agentIds) {
    keys.push((await makeKey(store, { agent: agentId, capabilities: [...agentRights, 'admin'] })).text);
  }
  await hub.stop();
  return keys;
}

export async function makeKeyIn(data: string, agentId = 'ann'): Promise<string> {
  const [key = ''] = await makeKeysIn(data, agentId);
  return key;
}
