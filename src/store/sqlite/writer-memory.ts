// What the one writer knows without asking the database, so that a send reads next to nothing. Safe because no one else
// writes these tables; whatever is undone is forgotten.
import type { AgentKind } from '../../contract/agent.js';
import type { ThreadRecord } from '../../ports/store.js';

export interface SessionMemory {
  salt: number;
  lastSeq: number;
}

export interface AgentMemory {
  name: string;
  kind: AgentKind;
}

/** Enough for every busy thread and agent; beyond it everything is simply read again. */
const entriesMax = 50_000;

export class WriterMemory {
  readonly sessions = new Map<string, SessionMemory>();
  readonly #agents = new Map<string, AgentMemory>();
  readonly #threads = new Map<string, ThreadRecord>();
  readonly #withoutMail = new Set<string>();

  agent(sessionId: string, id: string): AgentMemory | undefined {
    return this.#agents.get(keyOf(sessionId, id));
  }

  rememberAgent(sessionId: string, id: string, agent: AgentMemory): void {
    remember(this.#agents, keyOf(sessionId, id), agent);
  }

  thread(sessionId: string, id: string): ThreadRecord | undefined {
    return this.#threads.get(keyOf(sessionId, id));
  }

  rememberThread(sessionId: string, id: string, thread: ThreadRecord): void {
    remember(this.#threads, keyOf(sessionId, id), thread);
  }

  /** True when the agent is known to have no waking mail. Whatever may add some must say so. */
  hasNoMail(sessionId: string, agentId: string): boolean {
    return this.#withoutMail.has(keyOf(sessionId, agentId));
  }

  rememberNoMail(sessionId: string, agentId: string): void {
    if (this.#withoutMail.size >= entriesMax) this.#withoutMail.clear();
    this.#withoutMail.add(keyOf(sessionId, agentId));
  }

  mailMayHaveCome(sessionId: string, agentId: string): void {
    this.#withoutMail.delete(keyOf(sessionId, agentId));
  }

  forgetAgent(sessionId: string, id: string): void {
    this.#agents.delete(keyOf(sessionId, id));
  }

  forgetThread(sessionId: string, id: string): void {
    this.#threads.delete(keyOf(sessionId, id));
  }

  forgetAll(): void {
    this.sessions.clear();
    this.#agents.clear();
    this.#threads.clear();
    this.#withoutMail.clear();
  }
}

/** Only what exists is remembered: what does not may be created at any time. */
function remember<Value>(known: Map<string, Value>, key: string, value: Value): void {
  if (known.size >= entriesMax) known.clear();
  known.set(key, value);
}

function keyOf(sessionId: string, id: string): string {
  return `${sessionId}\n${id}`;
}
