// Routes, wakes and attempts as callers see them.
import type { AttemptView, WakeRecordView, WakeRouteView } from '../contract/wake.js';
import type { WakeAttempt, WakeRecord, WakeRoute } from '../ports/wake.js';
import { routeState } from './describe.js';
import { isUnderWay } from './decide-wake.js';

export function viewAttempt(attempt: WakeAttempt): AttemptView {
  const { routeId, kind, label, state, attemptedAt, acceptedAt, endedAt, confirmBy, reason } = attempt;
  return {
    routeId,
    kind,
    label,
    state,
    attemptedAt: iso(attemptedAt),
    ...(acceptedAt === null ? {} : { acceptedAt: iso(acceptedAt) }),
    ...(endedAt === null ? {} : { endedAt: iso(endedAt) }),
    ...(isUnderWay(attempt) ? { confirmBy: iso(confirmBy) } : {}),
    ...(reason === null ? {} : { reason }),
  };
}

export function viewWake({
  id,
  state,
  isTest,
  unread,
  senders,
  startedAt,
  endedAt,
  attempts,
}: WakeRecord): WakeRecordView {
  return {
    wakeId: id,
    state,
    isTest,
    unread,
    from: senders,
    startedAt: iso(startedAt),
    ...(endedAt === null ? {} : { endedAt: iso(endedAt) }),
    attempts: attempts.map(viewAttempt),
  };
}

export function viewRoute(route: WakeRoute, now: number): WakeRouteView {
  const {
    id,
    kind,
    label,
    clientSession,
    position,
    confirmMs,
    wakesPerHour,
    quietMs,
    isOnce,
    host,
    setAt,
    leaseUntil,
  } = route;
  return {
    routeId: id,
    kind,
    label,
    ...(clientSession === null ? {} : { clientSession }),
    state: routeState(route, now),
    position,
    confirmMs,
    ...(wakesPerHour === null ? {} : { wakesPerHour }),
    ...(quietMs === null ? {} : { quietMs }),
    once: isOnce,
    ...(host === null ? {} : { host }),
    setAt: iso(setAt),
    ...(leaseUntil === null ? {} : { leaseUntil: iso(leaseUntil) }),
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
