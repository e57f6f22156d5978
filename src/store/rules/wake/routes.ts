// Sets, renews and removes wake routes. Each is held by one companion at a time, until its lease ends.
import { HubError } from '../../../contract/errors.js';
import { limits } from '../../../contract/limits.js';
import type { AgentRef, SetRoutePlan, WakeFacts, WakeRoute, WakeStore } from '../../../ports/wake.js';
import { isLive, routeTaken } from '../../../wake/decide-wake.js';
import { deleteRoute, lockWakes, routesOf, saveRoute, setLease } from '../../sql/wake-routes.js';
import { lastTurn, lastWake, startsSince } from '../../sql/wakes.js';
import type { Statements } from '../statements.js';
import type { Steps } from '../steps.js';

const hourMs = 3_600_000;

export function* setWakeRoute(tx: Statements, plan: SetRoutePlan): Steps<{ route: WakeRoute; tookOver: boolean }> {
  yield* lockWakes(tx, plan);
  const now = yield* tx.sharedTime(plan.now);
  const routes = yield* routesOf(tx, plan);
  const { route: given } = plan;
  const before = routes.find((route) => route.kind === given.kind && placeOf(route) === placeOf(given));
  const isHeld = before !== undefined && isLive(before, now) && before.companion !== given.companion;
  if (isHeld && !plan.replace) throw routeTaken(before);
  if (before === undefined) yield* makeRoom(tx, plan, { routes, now });
  // One that was never gone has been told of its mail: a hook re-arms with every turn.
  const isSame = before !== undefined && (isLive(before, now) || before.usedAt !== null);
  const route: WakeRoute = {
    ...given,
    id: before?.id ?? given.id,
    setAt: isSame ? before.setAt : now,
    leaseUntil: plan.leaseMs === null ? null : now + plan.leaseMs,
    usedAt: null,
  };
  yield* saveRoute(tx, plan, route);
  return { route, tookOver: isHeld };
}

function placeOf({ clientSession, label }: Pick<WakeRoute, 'clientSession' | 'label'>): string {
  return clientSession ?? label;
}

/** Routes whose companion is gone make room for new ones. */
function* makeRoom(
  tx: Statements,
  ref: AgentRef,
  { routes, now }: { routes: readonly WakeRoute[]; now: number },
): Steps<void> {
  if (routes.length < limits.wakeRoutes) return;
  const [oldest] = routes
    .filter((route) => !isLive(route, now))
    .toSorted((a, b) => (a.leaseUntil ?? 0) - (b.leaseUntil ?? 0));
  if (oldest === undefined) {
    throw new HubError('LIMIT_REACHED', `'${ref.agentId}' has ${routes.length} live wake routes, the most allowed.`, {
      hint: 'Remove one with remove_wake_route; list_wakes shows them.',
      details: { limit: limits.wakeRoutes },
    });
  }
  yield* deleteRoute(tx, ref, oldest.id);
}

export function* removeWakeRoute(
  tx: Statements,
  { routeId, companion, ...ref }: Parameters<WakeStore['removeWakeRoute']>[0],
): Steps<boolean> {
  yield* lockWakes(tx, ref);
  const route = (yield* routesOf(tx, ref)).find(({ id }) => id === routeId);
  if (route === undefined || (companion !== null && route.companion !== companion)) return false;
  return yield* deleteRoute(tx, ref, routeId);
}

export function* leaveWakeRoute(
  tx: Statements,
  { routeId, companion, leaseMs, ...ref }: Parameters<WakeStore['leaveWakeRoute']>[0],
): Steps<void> {
  yield* lockWakes(tx, ref);
  const now = yield* tx.sharedTime(ref.now);
  const route = (yield* routesOf(tx, ref)).find(({ id }) => id === routeId);
  if (route?.companion !== companion || route.leaseUntil === null) return;
  const leaseUntil = Math.min(route.leaseUntil, now + leaseMs);
  yield* setLease(tx, ref, { id: routeId, leaseUntil });
}

export function* wakeFacts(
  tx: Statements,
  { sessionId, agentId, now }: Parameters<WakeStore['wakeFacts']>[0],
): Steps<WakeFacts> {
  const ref = { sessionId, agentId };
  const at = yield* tx.sharedTime(now);
  const routes = yield* routesOf(tx, ref);
  const last = yield* lastWake(tx, ref);
  const turn = last?.isTest === true ? yield* lastTurn(tx, ref) : last;
  return { ...ref, routes, last, lastTurn: turn, starts: yield* startsSince(tx, ref, at - hourMs), at };
}
