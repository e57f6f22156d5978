// This hub's cache of sessions, so that a send takes one round trip. Each entry has the session version at which it was
// read: the database refuses a send that was planned with a stale version.
import { limits } from '../../../contract/limits.js';
import { Turns } from '../../../message/send/loop-guard.js';
import type { NotifySettings } from '../../../notify/decide-notices.js';
import type { SharedTurns, Turn } from '../../../ports/shared-turns.js';
import type { Closure, ThreadRecord } from '../../../ports/store.js';
import type { KnownFacts } from '../../rules/route-send.js';
import type { AgentFacts } from '../../rules/statements.js';

/** Enough for the active threads and agents of a session. A full map is cleared and read again. */
const entriesMax = 10_000;
const sessionsMax = 1_000;

/** The cached facts of one version of a session. */
export class SessionMemory implements KnownFacts {
  readonly salt: number;
  readonly version: number;
  readonly closure: Closure | null;
  notify: NotifySettings | undefined;
  readonly agents = new Map<string, AgentFacts>();
  readonly threads = new Map<string, ThreadRecord>();
  readonly groups = new Map<string, string[]>();
  /** The seq up to which an inbox certainly has room: each message adds at most one copy. */
  readonly roomUpTo = new Map<string, number>();

  constructor({ salt, version, closure }: Pick<SessionMemory, 'salt' | 'version' | 'closure'>) {
    this.salt = salt;
    this.version = version;
    this.closure = closure;
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

  /** The cache of that version; replaces one of another version. */
  sessionAt(id: string, current: Pick<SessionMemory, 'salt' | 'version' | 'closure'>): SessionMemory {
    const known = this.#sessions.get(id);
    if (known !== undefined && known.version === current.version && known.salt === current.salt) return known;
    const fresh = new SessionMemory(current);
    if (this.#sessions.size >= sessionsMax) this.#sessions.clear();
    this.#sessions.set(id, fresh);
    return fresh;
  }

  forget(id: string): void {
    this.#sessions.delete(id);
  }

  /** After a failover the new primary may lack commits and assign their versions and seqs again. */
  forgetAll(): void {
    this.#sessions.clear();
    this.#lastSeqs.clear();
  }

  /** The highest stored seq that this hub knows, or 0: where the search for a lost batch starts. */
  lastSeq(id: string): number {
    return this.#lastSeqs.get(id) ?? 0;
  }

  noteSeq(id: string, seq: number): void {
    if (seq > this.lastSeq(id)) this.#lastSeqs.set(id, seq);
  }

  noteTurn(turn: Turn): void {
    this.receiveTurn(turn);
    this.onTurn(turn);
  }

  receiveTurn(turn: Turn): void {
    this.turnsOf(turn.sessionId, turn.sender, turn.other).note(turn, limits);
  }

  /** The recent turns of these two agents. A restart loses them, which only delays the loop guard. */
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

/** Only existing things are cached: a missing one may be created at any time. */
export function remember<Value>(known: Map<string, Value>, key: string, value: Value): void {
  if (known.size >= entriesMax) known.clear();
  known.set(key, value);
}
