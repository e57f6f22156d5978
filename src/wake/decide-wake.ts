// Whether a route gets a wake now, or why not and when to look again. Pure: the store asks it in its transaction.
import { HubError } from '../contract/errors.js';
import type { Limits } from '../contract/limits.js';
import type { AwaitState } from '../contract/wake.js';
import type { WakeAttempt, WakeRecord, WakeRoute } from '../ports/wake.js';

const hourMs = 3_600_000;
/** A companion whose answer was lost asks again and gets the same wake, so often in all. */
const handedMax = 2;
/** How long a test waits for the budget or for a route. */
const testMs = 120_000;
/** How soon a wake between two routes is looked at again: a companion may have died. */
const betweenMs = 2_000;

export interface WakeSituation {
  route: WakeRoute;
  /** All routes of the agent. */
  routes: readonly WakeRoute[];
  /** The open wake, after attempts whose time had passed were ended. */
  open: WakeRecord | null;
  hasMail: boolean;
  /** Of earlier wakes, oldest first: those of the last hour. */
  starts: readonly number[];
  /** When the last wake ended. */
  endedAt: number | null;
  /** The wakes in turns with one other agent that this one would continue, and when the last of them ended. */
  chain: { turns: number; endedAt: number };
  calledMsAgo: number | null;
  isWaiting: boolean;
  now: number;
}

export type WakeDecision =
  | { kind: 'start' }
  | { kind: 'give' }
  | { kind: 'again' }
  | { kind: 'none'; state: AwaitState; retryAt: number | null };

export function decideWake(situation: WakeSituation, limits: Limits): WakeDecision {
  const { open } = situation;
  if (open === null && !situation.hasMail) return none('nothing', null);
  const isTest = open?.isTest === true;
  if (!isTest && (open === null || open.attempts.length === 0)) {
    const atWork = activeUntil(situation, limits);
    if (atWork !== null) return none('active', atWork);
  }
  const turn = decideTurn(situation);
  if (turn !== null) return turn;
  // An open wake that was attempted has passed the budget.
  if (open !== null && open.attempts.length > 0) return { kind: 'give' };
  return withinBudget(situation, limits) ?? { kind: open === null ? 'start' : 'give' };
}

function none(state: AwaitState, retryAt: number | null): WakeDecision {
  return { kind: 'none', state, retryAt };
}

/** Who is at work sees the number of unread messages with its next result. */
function activeUntil({ calledMsAgo, isWaiting, now }: WakeSituation, { wakeGraceMs }: Limits): number | null {
  if (isWaiting) return now + wakeGraceMs;
  if (calledMsAgo === null || calledMsAgo >= wakeGraceMs) return null;
  return now + wakeGraceMs - calledMsAgo;
}

/** Null if it is this route's turn. */
function decideTurn({ route, routes, open, now }: WakeSituation): WakeDecision | null {
  const mine = open?.attempts.find(({ routeId }) => routeId === route.id);
  if (mine?.state === 'attempted' && mine.handed < handedMax && route.kind !== 'webhook') return { kind: 'again' };
  const underWay = (open?.attempts ?? []).filter(isUnderWay);
  if (underWay.length > 0) return none('held', Math.min(...underWay.map(({ confirmBy }) => confirmBy)));
  if (mine !== undefined) return none('held', now + betweenMs);
  return nextRoute(routes, open, now)?.id === route.id ? null : none('held', now + betweenMs);
}

export function isUnderWay({ state }: WakeAttempt): boolean {
  return state === 'attempted' || state === 'accepted';
}

export function isLive({ leaseUntil, usedAt }: Pick<WakeRoute, 'leaseUntil' | 'usedAt'>, now: number): boolean {
  return usedAt === null && (leaseUntil === null || leaseUntil > now);
}

/** The first live route of the chain that the wake was not given to yet. */
function nextRoute(routes: readonly WakeRoute[], open: WakeRecord | null, now: number): WakeRoute | undefined {
  const tried = new Set(open?.attempts.map(({ routeId }) => routeId));
  return routes
    .filter((route) => isLive(route, now) && !tried.has(route.id))
    .toSorted((a, b) => a.position - b.position || a.setAt - b.setAt || (a.id < b.id ? -1 : 1))[0];
}

/** Undefined if a wake may start. */
function withinBudget(situation: WakeSituation, limits: Limits): WakeDecision | undefined {
  const { route, starts, endedAt, chain, now } = situation;
  const loopUntil = chain.turns >= limits.wokenTurns ? chain.endedAt + limits.replyChainPauseMs : 0;
  if (loopUntil > now) return none('loop', loopUntil);
  const budgetUntil = budgetEnd(starts, Math.min(limits.wakesPerHour, route.wakesPerHour ?? Infinity), now);
  if (budgetUntil !== null) return none('budget', budgetUntil);
  const quietUntil = endedAt === null ? 0 : endedAt + Math.max(limits.wakeQuietMs, route.quietMs ?? 0);
  return quietUntil > now ? none('quiet', quietUntil) : undefined;
}

/** When the next wake may start; null if one may now. */
export function budgetEnd(starts: readonly number[], wakesPerHour: number, now: number): number | null {
  const recent = starts.filter((at) => at > now - hourMs);
  const freeing = recent[recent.length - wakesPerHour];
  return freeing === undefined ? null : freeing + hourMs;
}

/** The chain of wakes in turns: `other` was last woken by mail of this agent alone, and this one by mail of `other` alone. */
export function chainAfter(
  other: Pick<WakeRecord, 'senders' | 'chain' | 'startedAt' | 'endedAt'> | null,
  agentId: string,
  { now, pauseMs }: { now: number; pauseMs: number },
): { turns: number; endedAt: number } {
  const endedAt = other?.endedAt ?? other?.startedAt ?? 0;
  const isInTurns = other !== null && other.senders.length === 1 && other.senders[0] === agentId;
  return isInTurns && now - endedAt < pauseMs ? { turns: other.chain + 1, endedAt } : { turns: 0, endedAt: 0 };
}

/** What an open wake has come to: attempts to end as unconfirmed, whether it is given up, and when to look again. */
export function settle(
  open: WakeRecord,
  routes: readonly WakeRoute[],
  now: number,
): { overdue: WakeAttempt[]; isAbandoned: boolean; lookAt: number } {
  const underWay = open.attempts.filter(isUnderWay);
  const overdue = underWay.filter(({ confirmBy }) => confirmBy <= now);
  const waiting = underWay.filter(({ confirmBy }) => confirmBy > now);
  if (waiting.length > 0) {
    return { overdue, isAbandoned: false, lookAt: Math.min(...waiting.map(({ confirmBy }) => confirmBy)) };
  }
  const isLate = open.attempts.length === 0 && now - open.startedAt >= testMs;
  const isAbandoned = isLate || nextRoute(routes, open, now) === undefined;
  return { overdue, isAbandoned, lookAt: now + betweenMs };
}

/** Mail up to here was announced to this route, or to the agent itself. */
export function announcedTo(
  { setAt }: Pick<WakeRoute, 'setAt'>,
  announced: { confirmedSeq: number; abandonedSeq: number; abandonedAt: number },
): number {
  const { confirmedSeq, abandonedSeq, abandonedAt } = announced;
  // A route that came later may try what no other could.
  return abandonedAt >= setAt ? Math.max(confirmedSeq, abandonedSeq) : confirmedSeq;
}

export function routeUnknown(routeId: string): HubError {
  return new HubError('WAKE_ROUTE_UNKNOWN', `You have no wake route '${routeId}'.`, {
    hint: 'Call set_wake_route again: routes end with their companion.',
    details: { routeId },
  });
}

export function routeTaken({ id, kind, label, leaseUntil }: WakeRoute): HubError {
  const name = label === '' ? kind : `${kind} (${label})`;
  return new HubError('WAKE_ROUTE_TAKEN', `Another companion holds the wake route ${name}.`, {
    hint: 'Stop the other companion, or call set_wake_route with replace to take over.',
    details: { routeId: id, ...(leaseUntil === null ? {} : { leaseUntil: new Date(leaseUntil).toISOString() }) },
  });
}

export function wakeUnknown(wakeId: string, routeId: string): HubError {
  return new HubError('WAKE_UNKNOWN', `Route '${routeId}' was not given the wake '${wakeId}'.`, {
    hint: 'Report with the wakeId of await_wake, and the routeId that it was called with.',
    details: { wakeId, routeId },
  });
}
