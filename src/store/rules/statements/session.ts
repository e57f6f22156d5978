// What rules require of a store for sessions, agents, groups and notification settings.
import type { AgentKind } from '../../../contract/agent.js';
import type { NotifySettings } from '../../../notify/decide-notices.js';
import type { AgentRecord, Closure, CreateSessionPlan } from '../../../ports/store.js';
import type { Steps } from '../steps.js';

/** What a send needs to know about an agent. */
export interface AgentFacts {
  name: string;
  kind: AgentKind;
}

export interface SessionStatements {
  /** Undefined until its first use has created it. */
  findSession(sessionId: string): Steps<{ salt: number; closure: Closure | null } | undefined>;
  /** Until the end of the transaction no one else begins a session of this name, or its import. */
  lockName(sessionId: string): Steps<void>;
  countSessions(): Steps<number>;
  /** False when another hub has just created it. */
  insertSession(sessionId: string, options: NewSession): Steps<boolean>;
  setClosed(sessionId: string, closure: Closure): Steps<void>;
  /** The seq of the session's newest message; 0 when it has none. */
  lastSeqOf(sessionId: string): Steps<number>;
  /** Requires the session's order lock: for writing messages, and for reads that must still hold at the commit. */
  requireOrder(sessionId: string): Steps<void>;

  /** Only of registered agents. */
  agentFacts(sessionId: string, ids: readonly string[]): Steps<ReadonlyMap<string, AgentFacts>>;
  insertAgent(sessionId: string, agent: NewAgent): Steps<AgentRecord>;
  updateAgent(sessionId: string, change: ProfileChange): Steps<AgentRecord>;
  /** Sorted by id; all agents when `ids` is null. */
  listAgentRows(sessionId: string, ids: readonly string[] | null): Steps<ListedAgent[]>;

  /** The stored list, including ids that are not registered. */
  groupMembers(sessionId: string, name: string): Steps<string[] | undefined>;

  notifySettings(sessionId: string): Steps<NotifySettings>;

  /** Counted after the commit. */
  auditStored(act: string): Steps<void>;
}

export interface NewSession extends Omit<CreateSessionPlan, 'sessionId' | 'audit'> {
  groups: readonly string[];
}

export type ListedAgent = AgentRecord & { unread: number; oldestUnreadAt: number | null };

export interface Profile {
  name: string;
  description: string;
  capabilities: string[];
}

export interface ProfileChange {
  before: AgentRecord;
  after: Profile;
  at: number;
}

export interface NewAgent extends Profile {
  id: string;
  kind: AgentKind;
  owner: string;
  at: number;
}
