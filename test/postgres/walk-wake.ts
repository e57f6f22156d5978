// Calls every method of the store that waking uses.
import type { Store } from '../../dist/ports/store.js';

export async function walkWake(store: Store, { sessionId, at }: { sessionId: string; at: number }): Promise<void> {
  const ref = { sessionId, agentId: 'dan' };
  const nothing = { name: null, description: null, capabilities: null, owner: 'open', at, onlyIfMissing: true };
  for (const id of ['ann', 'dan']) await store.registerAgent({ sessionId, id, ...nothing });
  const limitsOfRoute = { position: 0, confirmMs: 60_000, wakesPerHour: null, quietMs: null, isOnce: true };
  const route = {
    id: 'r1',
    kind: 'command',
    label: '',
    clientSession: null,
    companion: 'c',
    ...limitsOfRoute,
  } as const;
  await store.setWakeRoute({
    ...ref,
    route: { ...route, url: null, host: null },
    leaseMs: 60_000,
    replace: true,
    now: at,
  });
  const asking = { ...ref, routeId: 'r1', companion: 'c', leaseMs: 60_000, now: at };
  const { id: wakeId } = await store.startTestWake({ ...ref, wakeId: 'w1', now: at });
  for (let times = 0; times < 2; times += 1) {
    await store.nextWake({ ...asking, wakeId: 'w2', calledMsAgo: null, isWaiting: false });
  }
  await store.reportWake({
    ...ref,
    wakeId,
    routeId: 'r1',
    outcome: 'accepted',
    reason: null,
    leaseMs: 60_000,
    now: at,
  });
  await store.openWakes({ now: at, limit: 10 });
  await store.settleWake({ ...ref, now: at });
  await store.confirmWake({ ...ref, now: at });
  await store.findWake({ ...ref, wakeId });
  await store.listWakes({ ...ref, limit: 10 });
  await store.wakesAnnouncing({ sessionId, seq: 1, agentIds: ['dan'] });
  await store.wakeFacts({ ...ref, now: at });
  await store.agentsWithRoutes({ after: { sessionId: '', agentId: '' }, limit: 10 });
  const escalation = { sessionId, sender: 'ann', seq: 1, recipients: ['dan'], now: at, afterMs: 0 };
  await store.addEscalations(escalation);
  await store.escalationsDue({ now: at });
  await store.takeEscalations({ now: at + 60_000, holdMs: 1, limit: 10 });
  await store.endEscalation({ ...ref, seq: 1 });
  // A wake that starts with mail, and is given up.
  await store.startTestWake({ ...ref, wakeId: 'w3', now: at });
  await store.leaveWakeRoute({ ...asking, leaseMs: 0 });
  await store.pruneWakeRoutes({ before: at + 3_600_000 });
  await store.removeWakeRoute({ ...ref, routeId: 'r1', companion: null, now: at });
  await store.settleWake({ ...ref, now: at });
}
