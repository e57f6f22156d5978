// What this hub knows of sessions without asking, so that a send is one round trip. It is only ever used together with
// the version at which it was read: the database refuses a send that was planned by an older one.
import { limits } from '../../../contract/limits.js';
import { Turns } from '../../../message/send/loop-guard.js';
import type { NotifySettings } from '../../../notify/decide-notices.js';
import type { SharedTurns, Turn } from '../../../ports/shared-turns.js';
import type { ThreadRecord } from '../../../ports/store.js';
import type { KnownFacts } from '../../rules/route-send.js';
import type { AgentFacts } from '../../rules/statements.js';

/** Enough for every busy thread and agent of a session; beyond it everything is simply read again. */
const entriesMax = 10_000;
const sessionsMax = 1_000;

/** A session as it was at one version. */
export class SessionMemory implements KnownFacts {
  readonly salt: number;
  readonly version: number;
  notify: NotifySettings | undefined;
  readonly agents = new Map<string, AgentFacts>();
  readonly threads = new Map<string, ThreadRecord>();
  readonly groups = new Map<string, string[]>();
  /** The seq up to which an inbox surely has room: each message adds at most one copy to it. */
  readonly roomUpTo = new Map<string, number>();

  constructor(salt: number, version: number) {
    this.salt = salt;
    this.version = version;
  }

  agent(id: string): AgentFacts | undefined {
    return this.agents.get(id);
  }

  thread(id: string): ThreadRecord | undefined {
    return this.threads.get(id);
  }
}

export class HubMemory implements SharedTurns {
  readonly #sessions = new Map<string, SessionMemory>();
  readonly #lastSeqs = new Map<string, number>();
  readonly #turns = new Map<string, Map<string, Turns>>();
  onTurn: (turn: Turn) => void = () => {};

  session(id: string): SessionMemory | undefined {
    return this.#sessions.get(id);
  }

  /** The memory of that version: the known one, or a new one in its place. */
  sessionAt(id: string, salt: number, version: number): SessionMemory {
    const known = this.#sessions.get(id);
    if (known !== undefined && known.version === version && known.salt === salt) return known;
    const fresh = new SessionMemory(salt, version);
    remember(this.#sessions, id, fresh, sessionsMax);
    return fresh;
  }

  forget(id: string): void {
    this.#sessions.delete(id);
  }

  /** The server may be another one, which took over before it had everything: versions and seqs are given again there. */
  forgetAll(): void {
    this.#sessions.clear();
    this.#lastSeqs.clear();
  }

  /** The highest seq this hub knows to be stored, or 0: where to begin to look for what may have been written. */
  lastSeq(id: string): number {
    return this.#lastSeqs.get(id) ?? 0;
  }

  sawSeq(id: string, seq: number): void {
    if (seq > this.lastSeq(id)) this.#lastSeqs.set(id, seq);
  }

  tookTurn(turn: Turn): void {
    this.receiveTurn(turn);
    this.onTurn(turn);
  }

  receiveTurn(turn: Turn): void {
    this.turnsOf(turn.sessionId, turn.sender, turn.other).note(turn, limits);
  }

  /** The turns these two took lately; a restart forgets them, which only delays the guard. */
  turnsOf(sessionId: string, one: string, other: string): Turns {
    const [first, second] = one < other ? [one, other] : [other, one];
    const partners = findOr(this.#turns, `${sessionId}\n${first}`, () => new Map<string, Turns>());
    return findOr(partners, second, () => new Turns());
  }
}

function findOr<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  remember(known, key, made);
  return made;
}

/** Only what exists is remembered: what does not may be created at any time. */
export function remember<Value>(known: Map<string, Value>, key: string, value: Value, max = entriesMax): void {
  if (known.size >= max) known.clear();
  known.set(key, value);
}
