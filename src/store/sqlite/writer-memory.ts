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

  agent(sessionId: string, id: string, read: () => AgentMemory | undefined): AgentMemory | undefined {
    return recall(this.#agents, keyOf(sessionId, id), read);
  }

  thread(sessionId: string, id: string, read: () => ThreadRecord | undefined): ThreadRecord | undefined {
    return recall(this.#threads, keyOf(sessionId, id), read);
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
  }
}

/** Only what exists is remembered: what does not may be created at any time. */
function recall<Value>(known: Map<string, Value>, key: string, read: () => Value | undefined): Value | undefined {
  const remembered = known.get(key);
  if (remembered !== undefined) return remembered;
  const found = read();
  if (found === undefined) return undefined;
  if (known.size >= entriesMax) known.clear();
  known.set(key, found);
  return found;
}

function keyOf(sessionId: string, id: string): string {
  return `${sessionId}\n${id}`;
}
