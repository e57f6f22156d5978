// What the one writer knows without asking the database, so that a send reads next to nothing. Safe because no one else
// writes these tables; whatever is undone is forgotten.
import type { AgentKind } from '../../../contract/agent.js';
import { Turns } from '../../../message/send/loop-guard.js';
import type { NotifySettings } from '../../../notify/decide-notices.js';
import type { ThreadRecord } from '../../../ports/store.js';

export interface AgentMemory {
  name: string;
  kind: AgentKind;
}

export interface KeyMemory {
  hash: string;
  expiresAt: number;
  result: unknown;
}

/** Enough for every busy thread and agent of a session; beyond it everything is simply read again. */
const entriesMax = 10_000;
const sessionsMax = 1_000;
/** Retries come soon; older answers are read from the store. */
const answersMax = 1_000;

export class SessionMemory {
  readonly salt: number;
  lastSeq: number;
  notify: NotifySettings | undefined;
  readonly #agents = new Map<string, AgentMemory>();
  readonly #threads = new Map<string, ThreadRecord>();
  readonly #withoutMail = new Set<string>();
  readonly #room = new Map<string, number>();
  readonly #answers = new Map<string, KeyMemory>();
  readonly #turns = new Map<string, Map<string, Turns>>();

  constructor(salt: number, lastSeq: number) {
    this.salt = salt;
    this.lastSeq = lastSeq;
  }

  agent(id: string): AgentMemory | undefined {
    return this.#agents.get(id);
  }

  rememberAgent(id: string, agent: AgentMemory): void {
    remember(this.#agents, id, agent);
  }

  forgetAgent(id: string): void {
    this.#agents.delete(id);
  }

  thread(id: string): ThreadRecord | undefined {
    return this.#threads.get(id);
  }

  rememberThread(id: string, thread: ThreadRecord): void {
    remember(this.#threads, id, thread);
  }

  forgetThread(id: string): void {
    this.#threads.delete(id);
  }

  /** True when the agent is known to have no waking mail. Whatever may add some must say so. */
  hasNoMail(agentId: string): boolean {
    return this.#withoutMail.has(agentId);
  }

  rememberNoMail(agentId: string): void {
    if (this.#withoutMail.size >= entriesMax) this.#withoutMail.clear();
    this.#withoutMail.add(agentId);
  }

  mailMayHaveCome(agentId: string): void {
    this.#withoutMail.delete(agentId);
  }

  /** How many more waking copies the inbox takes; undefined when no one has counted. */
  room(agentId: string): number | undefined {
    return this.#room.get(agentId);
  }

  rememberRoom(agentId: string, room: number): void {
    remember(this.#room, agentId, room);
  }

  /** One waking copy more. */
  mailHasCome(agentId: string): void {
    this.mailMayHaveCome(agentId);
    this.#changeRoom(agentId, -1);
  }

  /** One waking copy less. */
  mailHasGone(agentId: string): void {
    this.#changeRoom(agentId, 1);
  }

  #changeRoom(agentId: string, by: number): void {
    const room = this.#room.get(agentId);
    if (room !== undefined) this.#room.set(agentId, room + by);
  }

  /** The first answer under a sender's key, when it was given lately. */
  answerTo(sender: string, key: string): KeyMemory | undefined {
    return this.#answers.get(`${sender}\n${key}`);
  }

  /** False when there is no more room: then the caller stores what only this memory knows, and forgets. */
  rememberAnswer(sender: string, key: string, answer: KeyMemory): boolean {
    this.#answers.set(`${sender}\n${key}`, answer);
    return this.#answers.size < answersMax;
  }

  forgetAnswers(): void {
    this.#answers.clear();
  }

  /** The turns these two took lately; a restart forgets them, which only delays the guard. */
  turnsOf(one: string, other: string): Turns {
    const [first, second] = one < other ? [one, other] : [other, one];
    let partners = this.#turns.get(first);
    if (partners === undefined) {
      partners = new Map();
      remember(this.#turns, first, partners);
    }
    let turns = partners.get(second);
    if (turns === undefined) {
      turns = new Turns();
      remember(partners, second, turns);
    }
    return turns;
  }
}

export class WriterMemory {
  readonly #sessions = new Map<string, SessionMemory>();
  /** The last message row's number; undefined until it is asked for. */
  lastRow: number | undefined;

  session(id: string): SessionMemory | undefined {
    return this.#sessions.get(id);
  }

  rememberSession(id: string, session: SessionMemory): void {
    if (this.#sessions.size >= sessionsMax) this.#sessions.clear();
    this.#sessions.set(id, session);
  }

  forgetAnswers(): void {
    for (const session of this.#sessions.values()) session.forgetAnswers();
  }

  forgetAll(): void {
    this.#sessions.clear();
    this.lastRow = undefined;
  }
}

/** Only what exists is remembered: what does not may be created at any time. */
function remember<Value>(known: Map<string, Value>, key: string, value: Value): void {
  if (known.size >= entriesMax) known.clear();
  known.set(key, value);
}
