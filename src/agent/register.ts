// register_agent and remove_agent.
import type { AgentView } from '../contract/agent.js';
import { HubError } from '../contract/errors.js';
import type { registerAgent as registerContract } from '../contract/operations/register-agent.js';
import type { removeAgent as removeContract } from '../contract/operations/remove-agent.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import { isAdmin, type Caller } from '../ports/caller.js';
import type { Clock } from '../ports/clock.js';
import type { Metrics } from '../ports/metrics.js';
import type { AgentRecord, Store } from '../ports/store.js';
import type { Wakeup } from '../ports/wakeup.js';
import type { PresenceTracker } from './presence.js';
import type { Roster } from './roster.js';

export interface AgentPorts {
  store: Pick<Store, 'registerAgent' | 'removeAgent' | 'listAgents'>;
  clock: Clock;
  presence: PresenceTracker;
  roster: Roster;
  wakeup: Wakeup;
  metrics: Metrics;
  /** A registering agent may be a new program under an old id: headers shown to the earlier one no longer count. */
  forgetShownHeaders: (sessionId: string, agentId: string) => void;
}

export async function registerAgent(
  ports: AgentPorts,
  caller: Caller,
  input: InputOf<typeof registerContract>,
): Promise<OutputOf<typeof registerContract>> {
  const { sessionId, owner, origin } = caller;
  const id = targetOf(caller, input.agentId, 'register_agent');
  const isInUse = ports.presence.isInUseByAnother(sessionId, id, origin);
  const { agent } = await ports.store.registerAgent({
    sessionId,
    id,
    name: input.agentName ?? null,
    description: input.description ?? null,
    capabilities: input.capabilities ?? null,
    owner,
    at: ports.clock.now(),
    onlyIfMissing: false,
  });
  ports.roster.remember(sessionId, id);
  ports.presence.recordSeen(sessionId, id, origin);
  ports.forgetShownHeaders(sessionId, id);
  ports.wakeup.agents(sessionId);
  const warnings = isInUse ? [`IN_USE: another connection acted as '${id}' within the last minute.`] : [];
  return { success: true, agent: viewAgent(ports.presence, sessionId, agent), warnings };
}

export async function removeAgent(
  ports: AgentPorts,
  caller: Caller,
  input: InputOf<typeof removeContract>,
): Promise<OutputOf<typeof removeContract>> {
  const { sessionId } = caller;
  const id = targetOf(caller, input.agentId, 'remove_agent');
  const { leftThreads, deadLettered } = await ports.store.removeAgent({ sessionId, id, at: ports.clock.now() });
  ports.metrics.copiesEnded('dead_lettered', deadLettered);
  ports.roster.forget(sessionId, id);
  ports.presence.forget(sessionId, id);
  ports.wakeup.agents(sessionId);
  for (const threadId of leftThreads) ports.wakeup.thread(sessionId, threadId);
  return { success: true, agentId: id, leftThreads };
}

/** The caller itself; any agent for an admin. */
function targetOf(caller: Caller, agentId: string | undefined, operation: string): string {
  const id = agentId ?? caller.agentId;
  if (id === null) {
    throw new HubError('IDENTITY_REQUIRED', `${operation} needs the id of an agent.`, { hint: 'Give agentId.' });
  }
  if (id !== caller.agentId && !isAdmin(caller)) {
    throw new HubError('FORBIDDEN', `Only an admin may do this for '${id}'.`, {
      hint: 'Leave agentId out to mean yourself.',
    });
  }
  return id;
}

export function viewAgent(presence: PresenceTracker, sessionId: string, agent: AgentRecord): AgentView {
  const lastSeenAt = Math.max(presence.lastSeenAt(sessionId, agent.id) ?? 0, agent.lastSeenAt);
  return {
    id: agent.id,
    name: agent.name,
    description: agent.description,
    presence: presence.presenceOf(sessionId, agent.id, agent.lastSeenAt),
    ...(agent.kind === 'agent' ? {} : { kind: agent.kind }),
    ...(agent.capabilities.length === 0 ? {} : { capabilities: agent.capabilities }),
    lastSeen: new Date(lastSeenAt).toISOString(),
  };
}
