// register_agent and remove_agent.
import { auditEntry } from '../access/audit-entry.js';
import { idMissing, memberMeant } from '../access/decide-member.js';
import { personStays } from '../access/decide-person.js';
import type { AgentView, Presence } from '../contract/agent.js';
import type { AgentWake } from '../contract/wake.js';
import { HubError } from '../contract/errors.js';
import type { registerAgent as registerContract } from '../contract/operations/register-agent.js';
import type { removeAgent as removeContract } from '../contract/operations/remove-agent.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import type { Caller } from '../ports/caller.js';
import type { Clock } from '../ports/clock.js';
import type { Metrics } from '../ports/metrics.js';
import type { AgentRecord, Store } from '../ports/store.js';
import type { Wakeup } from '../ports/wakeup.js';
import type { ConnectedPrograms } from './connected-programs.js';
import type { PresenceTracker } from './presence.js';
import type { Roster } from './roster.js';

export interface AgentPorts {
  store: Pick<Store, 'registerAgent' | 'removeAgent' | 'endRemovedInbox' | 'listAgents' | 'findAgent'>;
  clock: Clock;
  presence: PresenceTracker;
  programs: ConnectedPrograms;
  roster: Roster;
  wakeup: Wakeup;
  metrics: Metrics;
  /** Its routes were removed with it. */
  wakesChanged: (sessionId: string, agentId: string) => Promise<void>;
  /** How the agent is woken; undefined if it never had a wake route. */
  wakeOf: (sessionId: string, agentId: string, presence: Presence) => AgentWake | undefined;
  /** A registering agent may be a new program under an old id: headers shown to the earlier one no longer count. */
  forgetShownHeaders: (sessionId: string, agentId: string) => void;
}

export async function registerAgent(
  ports: AgentPorts,
  caller: Caller,
  input: InputOf<typeof registerContract>,
): Promise<OutputOf<typeof registerContract>> {
  const { sessionId, owner } = caller;
  const id = input.agentId ?? caller.agentId;
  if (id === null) throw idMissing('register_agent', 'agentId');
  requireOwnName(caller, id);
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
  ports.roster.remember(sessionId, agent);
  ports.presence.recordSeen(sessionId, id);
  ports.forgetShownHeaders(sessionId, id);
  ports.wakeup.agents(sessionId);
  return { success: true, agent: viewAgent(ports, sessionId, agent), warnings: [] };
}

export async function removeAgent(
  ports: AgentPorts,
  caller: Caller,
  input: InputOf<typeof removeContract>,
): Promise<OutputOf<typeof removeContract>> {
  const { sessionId } = caller;
  const id = memberMeant(caller, { operation: 'remove_agent', field: 'agentId', given: input.agentId });
  if (id !== caller.agentId) await requireNoPerson(ports, sessionId, id);
  const at = ports.clock.now();
  const audit = id === caller.agentId ? null : auditEntry(caller, at, 'remove_agent', id);
  const { leftThreads, deadLettered, hasMore } = await ports.store.removeAgent({ sessionId, id, at, audit });
  let isEnding = hasMore;
  // In steps: calls of others run between them. If the hub dies meanwhile, the reaper ends the rest.
  while (isEnding) ({ hasMore: isEnding } = await ports.store.endRemovedInbox({ sessionId, agentId: id }));
  ports.metrics.copiesEnded('dead_lettered', deadLettered);
  ports.roster.forget(sessionId, id);
  ports.presence.forget(sessionId, id);
  ports.programs.forget(sessionId, id);
  await ports.wakesChanged(sessionId, id);
  ports.wakeup.agents(sessionId);
  for (const threadId of leftThreads) ports.wakeup.thread(sessionId, threadId);
  return { success: true, agentId: id, leftThreads };
}

/** Whoever could remove a person could then be one: the name would be free. */
async function requireNoPerson({ store }: AgentPorts, sessionId: string, id: string): Promise<void> {
  if ((await store.findAgent({ sessionId, id }))?.kind === 'human') throw personStays(id);
}

/** Mail to another name would never be read: the connection's own name decides whose inbox it reads. */
function requireOwnName({ agentId, connectAs }: Caller, id: string): void {
  if (agentId === null || agentId === id) return;
  throw new HubError('IDENTITY_MISMATCH', `This connection speaks for '${agentId}' and cannot register '${id}'.`, {
    hint: `To be '${id}', connect with ${connectAs(id)}. To change your own entry, leave agentId out.`,
    details: { connection: agentId, agentId: id },
  });
}

export function viewAgent(
  { presence, programs }: Pick<AgentPorts, 'presence' | 'programs'>,
  sessionId: string,
  agent: AgentRecord,
): AgentView {
  const lastSeenAt = Math.max(presence.lastSeenAt(sessionId, agent.id) ?? 0, agent.lastSeenAt);
  const connections = programs.countOf(sessionId, agent.id);
  return {
    id: agent.id,
    name: agent.name,
    description: agent.description,
    presence: presence.presenceOf(sessionId, agent.id, agent.lastSeenAt),
    ...(agent.kind === 'agent' ? {} : { kind: agent.kind }),
    ...(agent.capabilities.length === 0 ? {} : { capabilities: agent.capabilities }),
    ...(connections === 0 ? {} : { connections }),
    // A person may be there before its first call.
    ...(lastSeenAt === 0 ? {} : { lastSeen: new Date(lastSeenAt).toISOString() }),
  };
}
