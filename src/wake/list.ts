// list_wakes: the routes, wakes and budget of an agent, for itself and for admins.
import { auditRead } from '../access/audit-read.js';
import { agentUnknown, memberMeant } from '../access/decide-member.js';
import type { Presence } from '../contract/agent.js';
import { limits } from '../contract/limits.js';
import type { listWakes as contract } from '../contract/operations/list-wakes.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import type { Caller } from '../ports/caller.js';
import type { WakeFacts } from '../ports/wake.js';
import { isLive } from './decide-wake.js';
import { budgetUntil, describeWake } from './describe.js';
import type { WakePorts } from './ports.js';
import { viewRoute, viewWake } from './view.js';

export interface ListWakesPorts extends WakePorts {
  presenceOf: (sessionId: string, agentId: string) => Presence;
}

export async function listWakes(
  ports: ListWakesPorts,
  caller: Caller,
  { agent, limit }: InputOf<typeof contract>,
): Promise<OutputOf<typeof contract>> {
  const { sessionId } = caller;
  const agentId = memberMeant(caller, { operation: 'list_wakes', field: 'agent', given: agent });
  const ref = { sessionId, agentId };
  if (agentId !== caller.agentId) {
    if ((await ports.store.findAgent({ sessionId, id: agentId })) === null) throw agentUnknown(agentId);
    await auditRead(ports, caller, { act: 'list_wakes', target: agentId, details: {} });
  }
  const facts = await ports.store.wakeFacts({ ...ref, now: ports.clock.now() });
  const wakes = await ports.store.listWakes({ ...ref, limit });
  return {
    agent: agentId,
    wake: describeWake(facts, ports.presenceOf(sessionId, agentId), facts.at),
    routes: facts.routes.map((route) => viewRoute(route, facts.at)),
    wakes: wakes.map(viewWake),
    budget: budgetOf(facts),
  };
}

function budgetOf(facts: WakeFacts): OutputOf<typeof contract>['budget'] {
  const live = facts.routes.filter((route) => isLive(route, facts.at));
  const budget = live.length === 0 ? null : budgetUntil(facts, live, facts.at);
  const { last } = facts;
  const quiet = last?.endedAt === null || last === null ? 0 : last.endedAt + limits.wakeQuietMs;
  const until = budget ?? (quiet > facts.at ? quiet : null);
  return {
    wakesPerHour: limits.wakesPerHour,
    usedInLastHour: facts.starts.length,
    quietMs: limits.wakeQuietMs,
    ...(until === null ? {} : { until: new Date(until).toISOString() }),
  };
}
