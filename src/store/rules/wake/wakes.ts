// Gives wakes to routes, notes what became of them, and ends them. Whoever decides holds the lock of the agent's wakes.
import { agentUnknown } from '../../../access/decide-member.js';
import { limits } from '../../../contract/limits.js';
import type {
  AgentRef,
  AttemptNews,
  NextWake,
  WakeAttempt,
  WakeRecord,
  WakeRoute,
  WakeStore,
} from '../../../ports/wake.js';
import {
  announcedTo,
  chainAfter,
  decideWake,
  isUnderWay,
  routeUnknown,
  settle,
  wakeUnknown,
} from '../../../wake/decide-wake.js';
import { unreadMail, type Mail } from '../../sql/announced-mail.js';
import { hastenEscalations } from '../../sql/escalations.js';
import { hasKey, keyState } from '../../sql/keys.js';
import {
  deleteRoute,
  lockWakes,
  routesOf,
  saveAnnounced,
  setLease,
  useRoute,
  type Announced,
} from '../../sql/wake-routes.js';
import {
  deleteWake,
  endWake,
  findWake,
  insertAttempt,
  insertWake,
  lastTurn,
  lastWake,
  lookAgainAt,
  startsSince,
  updateAttempt,
  updateWake,
} from '../../sql/wakes.js';
import { isRegistered } from '../sessions.js';
import type { Statements } from '../statements.js';
import type { Steps } from '../steps.js';

const hourMs = 3_600_000;

/** What a decision reads first, under the lock. */
interface Scene {
  ref: AgentRef;
  announced: Announced;
  routes: WakeRoute[];
  /** The open wake, or the last. */
  last: WakeRecord | null;
  now: number;
  news: AttemptNews[];
}

/** Attempts whose time has passed have ended, and a wake without a route left is given up. */
function* settledScene(tx: Statements, { sessionId, agentId, now }: AgentRef & { now: number }): Steps<Scene> {
  const ref = { sessionId, agentId };
  const announced = yield* lockWakes(tx, ref);
  const scene: Scene = {
    ref,
    announced,
    routes: yield* routesOf(tx, ref),
    last: yield* lastWake(tx, ref),
    now: yield* tx.sharedTime(now),
    news: [],
  };
  yield* settleScene(tx, scene);
  // A test without an attempt has ended, and is forgotten.
  if (scene.last !== null && scene.last.state !== 'open' && scene.last.attempts.length === 0) {
    scene.last = yield* lastWake(tx, ref);
  }
  return scene;
}

function* settleScene(tx: Statements, scene: Scene): Steps<void> {
  const { last, routes, now } = scene;
  if (last?.state !== 'open') return;
  const { overdue, isAbandoned, lookAt } = settle(last, routes, now);
  for (const attempt of overdue) {
    yield* changeAttempt(tx, scene, { ...attempt, state: 'unconfirmed', endedAt: attempt.confirmBy });
  }
  if (isAbandoned) yield* end(tx, scene, 'abandoned');
  else yield* lookAgainAt(tx, scene.ref, { id: last.id, at: lookAt });
}

/** In the store, in the scene and in the news. */
function* changeAttempt(tx: Statements, scene: Scene, attempt: WakeAttempt): Steps<void> {
  const { ref, last, now } = scene;
  if (last === null) return;
  yield* updateAttempt(tx, ref, { wakeId: last.id, attempt });
  const before = last.attempts.find(({ routeId }) => routeId === attempt.routeId);
  scene.last = {
    ...last,
    attempts: last.attempts.map((known) => (known.routeId === attempt.routeId ? attempt : known)),
  };
  if (before?.state !== attempt.state) scene.news.push(newsOf(ref, attempt, now));
}

function newsOf(ref: AgentRef, { kind, state, attemptedAt }: WakeAttempt, at: number): AttemptNews {
  return { ...ref, kind, state, at, confirmedMs: state === 'confirmed' ? Math.max(0, at - attemptedAt) : null };
}

/**
 * All mail that is there now counts as announced: with its next result the agent sees how much is unread. A test that
 * reached no route has announced nothing and cost nothing: it is forgotten.
 */
function* end(tx: Statements, scene: Scene, state: 'confirmed' | 'abandoned'): Steps<void> {
  const { ref, last, now, announced } = scene;
  if (last === null) return;
  scene.last = { ...last, state, endedAt: now };
  if (last.attempts.length === 0) return yield* deleteWake(tx, ref, last.id);
  const seq = yield* tx.lastSeqOf(ref.sessionId);
  yield* endWake(tx, ref, { id: last.id, state, at: now, upToSeq: seq });
  if (state === 'confirmed') {
    scene.announced = { ...announced, confirmedSeq: seq };
  } else {
    scene.announced = { ...announced, abandonedSeq: seq, abandonedAt: now };
    yield* hastenEscalations(tx, ref, now);
  }
  yield* saveAnnounced(tx, ref, scene.announced);
}

export function* nextWake(tx: Statements, request: Parameters<WakeStore['nextWake']>[0]): Steps<NextWake> {
  const { routeId, companion, calledMsAgo, isWaiting } = request;
  const scene = yield* settledScene(tx, request);
  const { ref, now, news } = scene;
  const route = scene.routes.find(({ id }) => id === routeId);
  if (route === undefined) throw routeUnknown(routeId);
  const answer = { wake: null, retryAt: null, now, leaseUntil: route.leaseUntil, news };
  if (route.companion !== companion) return { ...answer, state: 'replaced' };
  if (route.kind === 'webhook' && !(yield* mayBeCalled(tx, scene))) {
    yield* deleteRoute(tx, ref, routeId);
    return { ...answer, state: 'replaced' };
  }
  const renewed = yield* renew(tx, scene, { route, leaseMs: request.leaseMs });
  answer.leaseUntil = renewed.leaseUntil;
  if (renewed.usedAt !== null && !hasOpenAttempt(scene, routeId)) return { ...answer, state: 'nothing' };
  const announced = announcedTo(route, scene.announced);
  const mail = yield* unreadMail(tx, ref, announced);
  const open = scene.last?.state === 'open' ? scene.last : null;
  const chain = yield* chainOf(tx, scene, mail);
  const decision = decideWake(
    {
      route: renewed,
      routes: scene.routes,
      open,
      hasMail: mail.isNew,
      starts: yield* startsSince(tx, ref, now - hourMs),
      endedAt: open === null ? (scene.last?.endedAt ?? null) : null,
      chain,
      calledMsAgo,
      isWaiting,
      now,
    },
    limits,
  );
  if (decision.kind === 'none') return { ...answer, state: decision.state, retryAt: decision.retryAt };
  const isTest = open?.isTest ?? false;
  const wakeId = open?.id ?? request.wakeId;
  const wake = { id: wakeId, isTest, ...mailOf(mail), chain: chain.turns, startedAt: now };
  if (open === null) {
    yield* insertWake(tx, ref, { ...wake, afterSeq: announced, lookAt: now + renewed.confirmMs });
  } else {
    // A test starts with its first attempt.
    const start = open.attempts.length === 0 ? wake : open;
    yield* updateWake(tx, ref, { ...wake, chain: start.chain, startedAt: start.startedAt });
  }
  const mine = open?.attempts.find((attempt) => attempt.routeId === routeId);
  yield* beginAttempt(tx, scene, { wakeId, route: renewed, again: mine });
  return { ...answer, wake: { wakeId, isTest, ...mailOf(mail) }, state: 'wake' };
}

/** A webhook ends with the last key of its agent, also if that has expired. Without keys the hub is in open mode. */
function* mayBeCalled(tx: Statements, { ref, now }: Scene): Steps<boolean> {
  return (yield* hasKey(tx, ref, now)) || !(yield* keyState(tx)).hasKeys;
}

function mailOf({ unread, senders, highest }: Mail): Pick<Mail, 'unread' | 'senders' | 'highest'> {
  return { unread, senders, highest };
}

function hasOpenAttempt({ last }: Scene, routeId: string): boolean {
  return last?.state === 'open' && last.attempts.some((attempt) => attempt.routeId === routeId && isUnderWay(attempt));
}

/** In the store and in the scene. */
function* renew(
  tx: Statements,
  scene: Scene,
  { route, leaseMs }: { route: WakeRoute; leaseMs: number },
): Steps<WakeRoute> {
  if (route.leaseUntil === null) return route;
  const leaseUntil = scene.now + leaseMs;
  yield* setLease(tx, scene.ref, { id: route.id, leaseUntil });
  const renewed = { ...route, leaseUntil };
  scene.routes = scene.routes.map((known) => (known.id === route.id ? renewed : known));
  return renewed;
}

function* beginAttempt(
  tx: Statements,
  { ref, now, news }: Scene,
  { wakeId, route, again }: { wakeId: string; route: WakeRoute; again: WakeAttempt | undefined },
): Steps<void> {
  if (again !== undefined) {
    yield* updateAttempt(tx, ref, { wakeId, attempt: { ...again, handed: again.handed + 1 } });
    return;
  }
  const { id: routeId, kind, label, confirmMs } = route;
  const begun: WakeAttempt = {
    routeId,
    kind,
    label,
    state: 'attempted',
    handed: 1,
    attemptedAt: now,
    acceptedAt: null,
    endedAt: null,
    confirmBy: now + confirmMs,
    reason: null,
  };
  yield* insertAttempt(tx, ref, { wakeId, attempt: begun });
  news.push(newsOf(ref, begun, now));
  yield* lookAgainAt(tx, ref, { id: wakeId, at: begun.confirmBy });
  if (route.isOnce) yield* useRoute(tx, ref, { id: routeId, at: now });
}

/** Two agents that only wake each other in turns. */
function* chainOf(tx: Statements, { ref, now }: Scene, { senders }: Mail): Steps<{ turns: number; endedAt: number }> {
  const [other] = senders;
  if (other === undefined || senders.length > 1) return { turns: 0, endedAt: 0 };
  const last = yield* lastTurn(tx, { sessionId: ref.sessionId, agentId: other });
  return chainAfter(last, ref.agentId, { now, pauseMs: limits.replyChainPauseMs });
}

export function* reportWake(
  tx: Statements,
  report: Parameters<WakeStore['reportWake']>[0],
): Steps<{ state: WakeAttempt['state']; news: AttemptNews[] }> {
  const { wakeId, routeId, outcome, reason, leaseMs } = report;
  const scene = yield* settledScene(tx, report);
  const { ref, now } = scene;
  const wake = scene.last?.id === wakeId ? scene.last : yield* findWake(tx, { ...ref, wakeId });
  const given = wake?.attempts.find((each) => each.routeId === routeId);
  if (given === undefined) throw wakeUnknown(wakeId, routeId);
  const route = scene.routes.find(({ id }) => id === routeId);
  // Also after the wake was confirmed: the companion is there.
  if (outcome === 'running' && route !== undefined) yield* renew(tx, scene, { route, leaseMs });
  // What has ended stays so: the agent called, or the next route was tried.
  if (scene.last?.id !== wakeId || scene.last.state !== 'open' || !isUnderWay(given)) {
    return { state: given.state, news: scene.news };
  }
  const confirmMs = route?.confirmMs ?? given.confirmBy - given.attemptedAt;
  const accepted = { ...given, state: 'accepted' as const, acceptedAt: given.acceptedAt ?? now };
  const changed: WakeAttempt = {
    accepted,
    // Holds the chain for as long as it runs.
    running: { ...accepted, confirmBy: now + confirmMs },
    failed: { ...given, state: 'failed' as const, endedAt: now, reason },
    finished: {
      ...given,
      state: 'unconfirmed' as const,
      endedAt: now,
      reason: reason ?? 'ended without a call of the agent',
    },
  }[outcome];
  yield* changeAttempt(tx, scene, changed);
  yield* settleScene(tx, scene);
  return { state: changed.state, news: scene.news };
}

export function* confirmWake(tx: Statements, request: Parameters<WakeStore['confirmWake']>[0]): Steps<AttemptNews[]> {
  const scene = yield* settledScene(tx, request);
  const { last, now } = scene;
  const reached = last?.attempts.findLast(({ state }) => state !== 'failed') ?? last?.attempts.at(-1);
  if (last?.state !== 'open' || reached === undefined) return scene.news;
  yield* changeAttempt(tx, scene, { ...reached, state: 'confirmed', endedAt: now });
  yield* end(tx, scene, 'confirmed');
  return scene.news;
}

export function* settleWake(tx: Statements, request: Parameters<WakeStore['settleWake']>[0]): Steps<AttemptNews[]> {
  return (yield* settledScene(tx, request)).news;
}

export function* startTestWake(tx: Statements, request: Parameters<WakeStore['startTestWake']>[0]): Steps<WakeRecord> {
  const { sessionId, agentId, wakeId: id } = request;
  if (!(yield* isRegistered(tx, sessionId, agentId))) throw agentUnknown(agentId);
  const scene = yield* settledScene(tx, request);
  const { ref, now } = scene;
  if (scene.last?.state === 'open') return scene.last;
  const mail = yield* unreadMail(tx, ref, 0);
  const afterSeq = Math.max(scene.announced.confirmedSeq, scene.announced.abandonedSeq);
  const test = { id, isTest: true, ...mailOf(mail), chain: 0, startedAt: now };
  yield* insertWake(tx, ref, { ...test, afterSeq, lookAt: now });
  scene.last = { ...test, state: 'open', endedAt: null, attempts: [] };
  yield* settleScene(tx, scene);
  return scene.last;
}
