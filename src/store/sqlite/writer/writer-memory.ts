// The cache of the single writer, so that a send reads almost nothing. Safe because nothing else writes these tables;
// a rollback clears it.
import type { AgentKind } from '../../../contract/agent.js';
import { Turns } from '../../../message/send/loop-guard.js';
import type { NotifySettings } from '../../../notify/decide-notices.js';
import type { Closure, ThreadRecord } from '../../../ports/store.js';

export interface AgentMemory {
  name: string;
  kind: AgentKind;
}

export interface KeyMemory {
  hash: string;
  expiresAt: number;
  result: unknown;
}

/** Enough for the active threads and agents of a session. A full map is cleared and read again. */
const entriesMax = 10_000;
const sessionsMax = 1_000;
/** Retries come soon; older results are read from the database. */
const answersMax = 1_000;

export class SessionMemory {
  readonly salt: number;
  lastSeq: number;
  closure: Closure | null;
  notify: NotifySettings | undefined;
  readonly #agents = new Map<string, AgentMemory>();
  readonly #threads = new Map<string, ThreadRecord>();
  readonly #withoutMail = new Set<string>();
  readonly #room = new Map<string, number>();
  readonly #answers = new Map<string, KeyMemory>();
  readonly #turns = new Map<string, Map<string, Turns>>();

  constructor(salt: number, lastSeq: number, closure: Closure | null) {
    this.salt = salt;
    this.closure = closure;
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

  forgetThreads(): void {
    this.#threads.clear();
  }

  forgetThread(id: string): void {
    this.#threads.delete(id);
  }

  /** True when the agent is known to have no unread waking copies. Whatever may add one must call `forgetNoMail`. */
  hasNoMail(agentId: string): boolean {
    return this.#withoutMail.has(agentId);
  }

  rememberNoMail(agentId: string): void {
    if (this.#withoutMail.size >= entriesMax) this.#withoutMail.clear();
    this.#withoutMail.add(agentId);
  }

  forgetNoMail(agentId: string): void {
    this.#withoutMail.delete(agentId);
  }

  /** How many more waking copies the inbox has room for; undefined when not counted yet. */
  room(agentId: string): number | undefined {
    return this.#room.get(agentId);
  }

  rememberRoom(agentId: string, room: number): void {
    remember(this.#room, agentId, room);
  }

  /** One more waking copy. */
  copyAdded(agentId: string): void {
    this.forgetNoMail(agentId);
    this.#changeRoom(agentId, -1);
  }

  /** One waking copy fewer. */
  copyRemoved(agentId: string): void {
    this.#changeRoom(agentId, 1);
  }

  #changeRoom(agentId: string, by: number): void {
    const room = this.#room.get(agentId);
    if (room !== undefined) this.#room.set(agentId, room + by);
  }

  /** The first result of a sender's key, if it is recent. */
  answerTo(sender: string, key: string): KeyMemory | undefined {
    return this.#answers.get(`${sender}\n${key}`);
  }

  /** False when full: then the caller must insert the deferred rows and call `forgetAnswers`. */
  rememberAnswer(sender: string, key: string, answer: KeyMemory): boolean {
    this.#answers.set(`${sender}\n${key}`, answer);
    return this.#answers.size < answersMax;
  }

  forgetAnswers(): void {
    this.#answers.clear();
  }

  /** The recent turns of these two agents. A restart loses them, which only delays the loop guard. */
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
  /** The last lease of each inbox, by its token; the most recent inboxes. Kept when the rest is forgotten: see `isLastLease`. */
  readonly #lastLeases = new Map<string, string>();
  /** The number of the last message row; undefined until it is read. */
  lastRow: number | undefined;

  session(id: string): SessionMemory | undefined {
    return this.#sessions.get(id);
  }

  rememberSession(id: string, session: SessionMemory): void {
    if (this.#sessions.size >= sessionsMax) this.#sessions.clear();
    this.#sessions.set(id, session);
  }

  /** Called for every lease of at least one copy, in their order. */
  noteLease(sessionId: string, agentId: string, token: string): void {
    const inbox = `${sessionId}\n${agentId}`;
    this.#lastLeases.delete(inbox);
    this.#lastLeases.set(inbox, token);
    if (this.#lastLeases.size <= entriesMax) return;
    for (const oldest of this.#lastLeases.keys()) {
      this.#lastLeases.delete(oldest);
      return;
    }
  }

  /**
   * Nothing of the inbox was leased since. False when that is not known any more. A lease that was rolled back still counts
   * as later, which costs at most a needless mark.
   */
  isLastLease(sessionId: string, agentId: string, token: string): boolean {
    return this.#lastLeases.get(`${sessionId}\n${agentId}`) === token;
  }

  forgetAnswers(): void {
    for (const session of this.#sessions.values()) session.forgetAnswers();
  }

  forgetAll(): void {
    this.#sessions.clear();
    this.lastRow = undefined;
  }
}

/** Only existing things are cached: a missing one may be created at any time. */
function remember<Value>(known: Map<string, Value>, key: string, value: Value): void {
  if (known.size >= entriesMax) known.clear();
  known.set(key, value);
}
