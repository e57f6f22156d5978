// Routes, wakes and escalations as the store holds them. Times are of the clock that hubs share.
import type { AttemptState, AwaitState, WakeKind, WakeOutcome, WakeState } from '../contract/wake.js';
import type { Priority } from '../contract/message.js';

export interface AgentRef {
  sessionId: string;
  agentId: string;
}

export interface WakeRoute {
  id: string;
  kind: WakeKind;
  label: string;
  clientSession: string | null;
  companion: string;
  position: number;
  confirmMs: number;
  wakesPerHour: number | null;
  quietMs: number | null;
  isOnce: boolean;
  /** Of a webhook: a box of the hub's secret. */
  url: string | null;
  host: string | null;
  setAt: number;
  /** Null for a webhook, which has no companion. */
  leaseUntil: number | null;
  usedAt: number | null;
}

export interface WakeAttempt {
  routeId: string;
  kind: WakeKind;
  label: string;
  state: AttemptState;
  /** How often the companion got it. */
  handed: number;
  attemptedAt: number;
  acceptedAt: number | null;
  endedAt: number | null;
  confirmBy: number;
  reason: string | null;
}

export interface WakeRecord {
  id: string;
  state: WakeState;
  isTest: boolean;
  unread: number;
  /** At most ten. */
  senders: string[];
  highest: Priority;
  chain: number;
  startedAt: number;
  endedAt: number | null;
  /** Oldest first. */
  attempts: WakeAttempt[];
}

/** What is known of how an agent is woken. */
export interface WakeFacts extends AgentRef {
  routes: WakeRoute[];
  /** The open wake, or the last one; null if there was none. */
  last: WakeRecord | null;
  /** The last one that counts as a turn with another agent. */
  lastTurn: WakeRecord | null;
  /** When wakes of the last hour started, oldest first. */
  starts: number[];
  /** The time at which this was read. */
  at: number;
}

/** An attempt that began or ended: for metrics, followers and other hubs. */
export interface AttemptNews extends AgentRef {
  kind: WakeKind;
  state: AttemptState;
  at: number;
  /** From the attempt to its confirmation. */
  confirmedMs: number | null;
}

export const wakeNewsKinds = ['changed', 'called', 'lease', 'attempt'] as const;

/** What hubs tell each other: a hint to read the store again, or what is not stored. */
export interface WakeNews extends AgentRef {
  /** `attempt`: its kind and state. `lease`: the route that was renewed. */
  what: (typeof wakeNewsKinds)[number];
  text: string;
  /** `attempt`: when. `lease`: until when. */
  number: number;
}

/** A wake as it is given to a route. */
export interface GivenWake {
  wakeId: string;
  unread: number;
  senders: string[];
  highest: Priority;
  isTest: boolean;
}

export interface NextWake {
  wake: GivenWake | null;
  state: AwaitState;
  /** When to look again; null: on a hint. */
  retryAt: number | null;
  /** The shared time at which it was decided. */
  now: number;
  leaseUntil: number | null;
  news: AttemptNews[];
}

export interface SetRoutePlan extends AgentRef {
  route: Omit<WakeRoute, 'setAt' | 'usedAt' | 'leaseUntil'>;
  /** Null for a webhook. */
  leaseMs: number | null;
  replace: boolean;
  now: number;
}

export interface DueEscalation extends AgentRef {
  seq: number;
  sender: string;
  messageId: string;
  createdAt: number;
}

export interface WakeStore {
  /** Throws WAKE_ROUTE_TAKEN while another companion's lease runs, unless it replaces. */
  setWakeRoute(plan: SetRoutePlan): Promise<{ route: WakeRoute; tookOver: boolean }>;
  removeWakeRoute(ref: AgentRef & { routeId: string; companion: string | null; now: number }): Promise<boolean>;
  /** Shortens the lease of a companion that has disconnected. */
  leaveWakeRoute(ref: AgentRef & { routeId: string; companion: string; now: number; leaseMs: number }): Promise<void>;

  /** Decides in one transaction whether this route gets a wake now, and renews its lease. */
  nextWake(
    request: AgentRef & {
      routeId: string;
      companion: string;
      /** The id of a wake that starts now. */
      wakeId: string;
      /** How long ago the agent called, as far as this hub knows; null if it does not know of any call. */
      calledMsAgo: number | null;
      isWaiting: boolean;
      leaseMs: number;
      now: number;
    },
  ): Promise<NextWake>;
  /** `running` renews the route's lease, too: its companion does not ask while its command runs. */
  reportWake(
    report: AgentRef & {
      wakeId: string;
      routeId: string;
      outcome: WakeOutcome;
      reason: string | null;
      leaseMs: number;
      now: number;
    },
  ): Promise<{ state: AttemptState; news: AttemptNews[] }>;
  /** The agent has called: ends its open wake, if that was attempted. */
  confirmWake(ref: AgentRef & { now: number }): Promise<AttemptNews[]>;
  /** Ends attempts whose time has passed, and the wake if no live route is left. */
  settleWake(ref: AgentRef & { now: number }): Promise<AttemptNews[]>;
  /** Starts a test, or returns the wake that is open. A test that ends without an attempt is forgotten. */
  startTestWake(ref: AgentRef & { wakeId: string; now: number }): Promise<WakeRecord>;

  findWake(ref: AgentRef & { wakeId: string }): Promise<WakeRecord | null>;
  listWakes(ref: AgentRef & { limit: number }): Promise<WakeRecord[]>;
  /** Attempts of wakes that announced the message, by recipient. */
  wakesAnnouncing(query: {
    sessionId: string;
    seq: number;
    agentIds: readonly string[];
  }): Promise<{ agentId: string; attempt: WakeAttempt }[]>;
  wakeFacts(query: AgentRef & { now: number }): Promise<WakeFacts>;

  /** Of all sessions: agents with a route, after this one. */
  agentsWithRoutes(query: { after: AgentRef; limit: number }): Promise<AgentRef[]>;
  /** Of all sessions. */
  openWakes(query: { now: number; limit: number }): Promise<(AgentRef & { wakeId: string; isDue: boolean })[]>;
  /** Routes that have been gone for long. */
  pruneWakeRoutes(query: { before: number }): Promise<number>;

  /** One per recipient that is an agent; those that are there already stay as they are. `leftOut`: over the limit. */
  addEscalations(
    plan: { sessionId: string; sender: string; seq: number; recipients: readonly string[] } & {
      now: number;
      afterMs: number;
    },
  ): Promise<{ leftOut: number }>;
  /** Of all sessions: takes those that are due, so that no other hub does for a while. Ends those that were read or woken. */
  takeEscalations(query: { now: number; holdMs: number; limit: number }): Promise<DueEscalation[]>;
  /** Of all sessions: whether one is due. */
  escalationsDue(query: { now: number }): Promise<boolean>;
  endEscalation(ref: AgentRef & { seq: number }): Promise<void>;
}
