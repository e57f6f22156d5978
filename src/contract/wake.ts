// Waking as callers see it: routes, wakes and the attempts they consist of. See docs/waking.md.
import { z } from 'zod';
import { priorities } from './message.js';
import { inLine } from './text/in-line.js';

/** How a companion, or the hub in the case of a webhook, starts a turn of an idle agent. */
export const wakeKinds = [
  'claude-hook',
  'claude-monitor',
  'codex-queue',
  'codex-app-server',
  'opencode',
  'command',
  'webhook',
] as const;
export type WakeKind = (typeof wakeKinds)[number];

/** `live`: its companion has renewed it. `gone`: it has not. `used`: a hook's route, after its one wake. */
const wakeRouteStates = ['live', 'gone', 'used'] as const;

/**
 * What became of giving a wake to one route. `attempted`: the route has it. `accepted`: the client took it. `confirmed`:
 * the agent itself called. `failed`: the companion says so. `unconfirmed`: the time to confirm has passed.
 */
export const attemptStates = ['attempted', 'accepted', 'confirmed', 'failed', 'unconfirmed'] as const;
export type AttemptState = (typeof attemptStates)[number];

/** A wake is over when the agent calls, or when no live route is left to try. */
export const wakeStates = ['open', 'confirmed', 'abandoned'] as const;
export type WakeState = (typeof wakeStates)[number];

/** Why `await_wake` answers: with a wake, or without. */
export const awaitStates = ['wake', 'nothing', 'active', 'held', 'budget', 'loop', 'quiet', 'replaced'] as const;
export type AwaitState = (typeof awaitStates)[number];

/** What a companion says of a wake that it was given. */
export const wakeOutcomes = ['accepted', 'running', 'failed', 'finished'] as const;
export type WakeOutcome = (typeof wakeOutcomes)[number];

/** How an agent can be woken now, in one word; `text` of the same object is the sentence. */
export const agentWakeStates = ['none', 'ready', 'waking', 'woken', 'unanswered', 'gone', 'budget'] as const;
export type AgentWakeState = (typeof agentWakeStates)[number];

export const wakeRouteRef = z.string().min(1).max(64);
export const wakeRef = z.string().min(1).max(64);

/** Names one run of a companion program. */
export const companionId = z.string().regex(/^[\w.:-]{1,100}$/, 'must be 1 to 100 letters, digits and ._:-');

/** For the companion: all it may show to the client. It has no content of any message. */
export const wakeView = z.looseObject({
  wakeId: z.string(),
  unread: z.number(),
  /** The senders of the unread messages, at most ten. */
  from: z.array(z.string()),
  /** Of the unread messages. */
  highest: z.enum(priorities),
  isTest: z.boolean(),
  /** Ready for a client: "2 unread from ada, ben: call get_messages". */
  text: z.string(),
});

export const wakeRouteView = z.looseObject({
  routeId: z.string(),
  kind: z.enum(wakeKinds),
  label: z.string(),
  clientSession: z.string().optional(),
  state: z.enum(wakeRouteStates),
  position: z.number(),
  confirmMs: z.number(),
  wakesPerHour: z.number().optional(),
  quietMs: z.number().optional(),
  once: z.boolean(),
  /** Without its path, which may be a secret. */
  host: z.string().optional(),
  setAt: z.string(),
  /** When the lease ends or ended; a webhook has none. */
  leaseUntil: z.string().optional(),
});
export type WakeRouteView = z.output<typeof wakeRouteView>;

export const attemptView = z.looseObject({
  routeId: z.string(),
  kind: z.enum(wakeKinds),
  label: z.string(),
  state: z.enum(attemptStates),
  attemptedAt: z.string(),
  acceptedAt: z.string().optional(),
  /** When it was confirmed, failed, or its time had passed. */
  endedAt: z.string().optional(),
  /** Until then the next route waits. */
  confirmBy: z.string().optional(),
  reason: z.string().optional(),
});
export type AttemptView = z.output<typeof attemptView>;

export const wakeRecordView = z.looseObject({
  wakeId: z.string(),
  state: z.enum(wakeStates),
  isTest: z.boolean(),
  unread: z.number(),
  from: z.array(z.string()),
  startedAt: z.string(),
  endedAt: z.string().optional(),
  attempts: z.array(attemptView),
});
export type WakeRecordView = z.output<typeof wakeRecordView>;

export const wakeBudgetView = z.looseObject({
  wakesPerHour: z.number(),
  usedInLastHour: z.number(),
  quietMs: z.number(),
  /** Set while no wake may start: the budget is used up, or the quiet period lasts. */
  until: z.string().optional(),
});

/** Of an agent in `list_agents`, and of a recipient of a message. */
export const agentWake = z.looseObject({
  state: z.enum(agentWakeStates),
  /** "offline, woken by codex-queue 0.4 s ago", "offline, no wake route". */
  text: z.string(),
  routes: z.array(z.object({ kind: z.enum(wakeKinds), label: z.string(), state: z.enum(wakeRouteStates) })).optional(),
});
export type AgentWake = z.output<typeof agentWake>;

export function attemptLine({ kind, label, state, attemptedAt, endedAt, reason }: AttemptView): string {
  const name = label === '' ? kind : `${kind} (${label})`;
  const ended = endedAt === undefined ? '' : `, ended ${endedAt}`;
  return inLine(`${name} ${state}, attempted ${attemptedAt}${ended}${reason === undefined ? '' : `: ${reason}`}`);
}
