// A caller as open mode makes one, for tests that plan a send themselves. Its rights do not matter to a plan.
import type { NamedCaller } from '../../dist/ports/caller.js';

export function openCaller(sessionId: string, agentId: string): NamedCaller {
  return { sessionId, agentId, capabilities: new Set(), owner: 'open', connectAs: String, grant: null, address: '' };
}
