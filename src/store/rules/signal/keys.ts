// Keeps the public keys of the hub and of programs that seal beside an agent.
import { limits } from '../../../contract/limits.js';
import type { HubIdentity } from '../../../ports/hub-secret.js';
import type { SignalKeyStore } from '../../../ports/signal-keys.js';
import {
  agentKids,
  deleteAgentKey,
  findHubIdentity,
  insertAgentKey,
  insertHubIdentity,
} from '../../sql/signal-keys.js';
import type { Statements } from '../statements.js';
import type { Steps } from '../steps.js';

export function* claimHubIdentity(
  tx: Statements,
  { identity, at }: Parameters<SignalKeyStore['claimHubIdentity']>[0],
): Steps<HubIdentity> {
  const found = yield* findHubIdentity(tx);
  if (found !== null) return found;
  yield* insertHubIdentity(tx, identity, at);
  return (yield* findHubIdentity(tx)) ?? identity;
}

/** Several programs may act as one agent; an agent that makes new keys all the time keeps the newest few. */
export function* saveAgentKey(tx: Statements, plan: Parameters<SignalKeyStore['saveAgentKey']>[0]): Steps<void> {
  yield* insertAgentKey(tx, plan);
  const kids = yield* agentKids(tx, plan.sessionId, plan.agentId);
  for (const kid of kids.slice(0, -limits.agentKeys)) yield* deleteAgentKey(tx, { ...plan, kid });
}
