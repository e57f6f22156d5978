// How an agent can be woken, as a sentence. Pure: from what the hub remembers, no store is asked.
import type { Presence } from '../contract/agent.js';
import { limits } from '../contract/limits.js';
import type { AgentWake, AgentWakeState } from '../contract/wake.js';
import type { WakeAttempt, WakeFacts, WakeRecord, WakeRoute } from '../ports/wake.js';
import { budgetEnd, chainAfter, isLive, isUnderWay } from './decide-wake.js';

/** So long a wake that has ended is worth a word. */
const recentMs = 10 * 60_000;
const sendersNamed = 3;

/** `now` is of the clock of the facts. */
export function describeWake(facts: WakeFacts, presence: Presence, now: number): AgentWake {
  const recent = facts.last !== null && now - (facts.last.endedAt ?? now) < recentMs ? facts.last : null;
  return withRoutes(sentenceOf(facts, now, recent), facts, { presence, now });
}

/** For a message that comes now: how the last wake ended does not matter to it. */
export function describeNextWake(facts: WakeFacts, presence: Presence, now: number): AgentWake {
  return withRoutes(sentenceOf(facts, now, null), facts, { presence, now });
}

function withRoutes(
  { state, text }: Sentence,
  facts: WakeFacts,
  { presence, now }: { presence: Presence; now: number },
): AgentWake {
  const routes = facts.routes.map(({ kind, label, ...route }) => ({
    kind,
    label,
    state: routeState(route, now),
  }));
  return { state, text: `${presence}, ${text}`, ...(routes.length === 0 ? {} : { routes }) };
}

export function routeState(route: Pick<WakeRoute, 'leaseUntil' | 'usedAt'>, now: number): 'live' | 'gone' | 'used' {
  if (isLive(route, now)) return 'live';
  return route.usedAt === null ? 'gone' : 'used';
}

interface Sentence {
  state: AgentWakeState;
  text: string;
}

/** `recent`: a wake that has ended and is worth a word. */
function sentenceOf(facts: WakeFacts, now: number, recent: WakeRecord | null): Sentence {
  const { last } = facts;
  const attempt = last?.attempts.at(-1);
  if (last?.state === 'open' && attempt !== undefined) return underWay(attempt, now);
  const live = facts.routes.filter((route) => isLive(route, now));
  if (live.length > 0) {
    const until = budgetUntil(facts, live, now);
    if (until !== null) return { state: 'budget', text: `wake budget used up until ${timeOf(until)}` };
  }
  if (recent?.state === 'confirmed') return confirmed(recent, now);
  if (recent?.state === 'abandoned' && attempt !== undefined) return unanswered(attempt);
  if (live.length > 0) return { state: 'ready', text: `can be woken by ${kindsOf(live)}` };
  return withoutLiveRoute(facts.routes, now);
}

function underWay({ kind, state, attemptedAt, acceptedAt }: WakeAttempt, now: number): Sentence {
  const text =
    state === 'accepted'
      ? `wake accepted by ${kind} ${agoOf(now - (acceptedAt ?? attemptedAt))} ago, not confirmed yet`
      : `wake attempted by ${kind} ${agoOf(now - attemptedAt)} ago, not confirmed yet`;
  return { state: 'waking', text };
}

function confirmed({ attempts }: WakeRecord, now: number): Sentence {
  const by = attempts.find(({ state }) => state === 'confirmed');
  const ago = agoOf(now - (by?.endedAt ?? now));
  return { state: 'woken', text: `woken by ${by?.kind ?? 'a call'} ${ago} ago` };
}

function unanswered({ kind, state, reason }: WakeAttempt): Sentence {
  const why = reason === null ? '' : ` (${reason})`;
  return { state: 'unanswered', text: `not woken: ${kind} ${state}${why}` };
}

function withoutLiveRoute(routes: readonly WakeRoute[], now: number): Sentence {
  const last = routes.toSorted((a, b) => (b.leaseUntil ?? 0) - (a.leaseUntil ?? 0))[0];
  if (last === undefined) return { state: 'none', text: 'no wake route' };
  if (last.usedAt !== null) return { state: 'gone', text: `wake route ${last.kind} used up until its next turn ends` };
  return { state: 'gone', text: `companion of ${last.kind} gone since ${timeOf(last.leaseUntil ?? now)}` };
}

/** When the next wake may start; null if one may now. */
export function budgetUntil(facts: Pick<WakeFacts, 'starts'>, live: readonly WakeRoute[], now: number): number | null {
  const most = Math.max(...live.map(({ wakesPerHour }) => wakesPerHour ?? limits.wakesPerHour));
  return budgetEnd(facts.starts, Math.min(limits.wakesPerHour, most), now);
}

/** Whether mail of this sender alone would not wake the agent: the two woke each other in turns too often. */
export function isInLoop(sender: WakeFacts | undefined, agentId: string, now: number): boolean {
  const pause = { now, pauseMs: limits.replyChainPauseMs };
  return chainAfter(sender?.lastTurn ?? null, agentId, pause).turns >= limits.wokenTurns;
}

/** For the client: "2 unread from ada, ben: call get_messages". */
export function wakeText({ unread, senders, isTest }: { unread: number; senders: string[]; isTest: boolean }): string {
  if (unread === 0) return isTest ? 'A test of your wake route: call list_agents' : 'Call get_messages';
  const named = senders.slice(0, sendersNamed).join(', ');
  const others = senders.length > sendersNamed ? ` and ${senders.length - sendersNamed} others` : '';
  return `${unread} unread from ${named}${others}: call get_messages`;
}

/** Where a wake stands or stopped. */
export function outcomeText(agentId: string, { state, attempts }: WakeRecord, facts: WakeFacts, now: number): string {
  const last = attempts.at(-1);
  if (state === 'confirmed') {
    const by = attempts.find((attempt) => attempt.state === 'confirmed');
    if (by === undefined) return `${agentId} called`;
    return `${agentId} was woken by ${by.kind}: confirmed after ${agoOf((by.endedAt ?? now) - by.attemptedAt)}`;
  }
  if (last === undefined) {
    const live = facts.routes.filter((route) => isLive(route, now));
    const until = live.length === 0 ? null : budgetUntil(facts, live, now);
    if (until !== null) return `${agentId} is not woken: wake budget used up until ${timeOf(until)}`;
    if (state === 'open') return `${agentId} is not woken yet: its companion has not asked, or its quiet period lasts`;
    return `${agentId} is not woken: ${withoutLiveRoute(facts.routes, now).text}`;
  }
  if (isUnderWay(last)) return `${agentId}: ${underWay(last, now).text}`;
  return `${agentId} is ${unanswered(last).text}`;
}

function kindsOf(routes: readonly WakeRoute[]): string {
  return [...new Set(routes.map(({ kind }) => kind))].join(', then ');
}

/** "0.4 s", "12 s", "3 min". */
function agoOf(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

/** "12:40 UTC". */
function timeOf(at: number): string {
  return `${new Date(at).toISOString().slice(11, 16)} UTC`;
}
