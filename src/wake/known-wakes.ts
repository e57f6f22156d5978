// What this hub remembers of how agents are woken, so that a send or an ordinary call asks no store. Memory follows the
// store: it is read again after each change here, on a hint of another hub, and when the sweeper finds a difference.
import { attemptStates, wakeKinds } from '../contract/wake.js';
import type { AttemptNews, AgentRef, WakeFacts, WakeNews, WakeStore } from '../ports/wake.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { Metrics } from '../ports/metrics.js';

/** How often other hubs learn that an agent which can be woken is at work. */
const publishEveryMs = 1_000;
const loadedPerStep = 50;
/** An agent without routes is forgotten after its last wake is of no interest. */
const keptMs = 3_600_000;

interface Known {
  facts: WakeFacts;
  /** This hub's time less the time of the facts. */
  skewMs: number;
  confirming: Promise<void> | undefined;
}

export type WakeHint = 'mail' | 'state';
type Listener = (hint: WakeHint) => void;

export interface KnownWakesPorts {
  store: Pick<WakeStore, 'wakeFacts' | 'confirmWake' | 'agentsWithRoutes'>;
  clock: Clock;
  log: Log;
  metrics: Pick<Metrics, 'wakeAttempt'>;
  /** When the agent's own program last called at this hub. */
  calledAt: (sessionId: string, agentId: string) => number | undefined;
  /** To the other hubs, where there are some. */
  publish: (news: WakeNews) => void;
}

export class KnownWakes {
  readonly #ports: KnownWakesPorts;
  readonly #agents = new Map<string, Known>();
  readonly #reading = new Map<string, { isStale: boolean; done: Promise<void> }>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #followers = new Map<string, Set<(news: AttemptNews) => void>>();
  /** By agent that can be woken: its last call at another hub, and the last that was published from here. */
  readonly #calls = new Map<string, { elsewhere: number; published: number }>();

  /** Called with the hints of every agent that has a route. */
  onAnyHint: (ref: AgentRef, hint: WakeHint) => void = () => {};

  constructor(ports: KnownWakesPorts) {
    this.#ports = ports;
  }

  /** Reads all agents that have routes: at the start, and when hints may have been lost. */
  async load(): Promise<void> {
    let after: AgentRef = { sessionId: '', agentId: '' };
    for (;;) {
      const page = await this.#ports.store.agentsWithRoutes({ after, limit: loadedPerStep });
      await Promise.all(page.map((ref) => this.refresh(ref)));
      const last = page.at(-1);
      if (last === undefined || page.length < loadedPerStep) return;
      after = last;
    }
  }

  /** With the time that the facts go by; undefined if the agent never had a route. */
  find(sessionId: string, agentId: string): { facts: WakeFacts; now: number } | undefined {
    const known = this.#agents.size === 0 ? undefined : this.#agents.get(keyOf({ sessionId, agentId }));
    return known === undefined ? undefined : { facts: known.facts, now: this.#ports.clock.now() - known.skewMs };
  }

  /** All that are known, for the sweeper. */
  *all(): Iterable<{ facts: WakeFacts; now: number }> {
    const now = this.#ports.clock.now();
    for (const { facts, skewMs } of this.#agents.values()) yield { facts, now: now - skewMs };
  }

  /** The agent's own program calls. Undefined for nearly every call: there is no wake to confirm. */
  called(sessionId: string, agentId: string): Promise<void> | undefined {
    if (this.#agents.size === 0) return undefined;
    const ref = { sessionId, agentId };
    const key = keyOf(ref);
    const known = this.#agents.get(key);
    if (known === undefined) return undefined;
    const now = this.#ports.clock.now();
    const calls = this.#callsOf(key);
    if (now - calls.published >= publishEveryMs) {
      calls.published = now;
      this.#ports.publish({ ...ref, what: 'called', text: '', number: 0 });
    }
    return hasOpenAttempt(known.facts) ? this.#confirm(ref, known) : undefined;
  }

  /** How long ago the agent called, here or at another hub; null if that is not known. */
  calledMsAgo({ sessionId, agentId }: AgentRef): number | null {
    const here = this.#ports.calledAt(sessionId, agentId) ?? 0;
    const at = Math.max(here, this.#calls.get(keyOf({ sessionId, agentId }))?.elsewhere ?? 0);
    return at === 0 ? null : Math.max(0, this.#ports.clock.now() - at);
  }

  /** Something was changed in the store by this hub. */
  async changed(ref: AgentRef, news: readonly AttemptNews[] = []): Promise<void> {
    this.#tell(news, true);
    this.#ports.publish({ ...onlyRef(ref), what: 'changed', text: '', number: 0 });
    await this.refresh(ref);
    this.hint(ref, 'state');
  }

  /** A companion is there. */
  renewed(ref: AgentRef, routeId: string, leaseUntil: number): void {
    this.#setLease(ref, routeId, leaseUntil);
    this.#ports.publish({ ...onlyRef(ref), what: 'lease', text: routeId, number: leaseUntil });
  }

  /** Another hub published this. */
  heard({ what, text, number, ...ref }: WakeNews): void {
    if (what === 'called') {
      const key = keyOf(ref);
      if (this.#agents.has(key)) this.#callsOf(key).elsewhere = this.#ports.clock.now();
    } else if (what === 'lease') this.#setLease(ref, text, number);
    else if (what === 'changed') void this.refresh(ref).then(() => this.hint(ref, 'state'));
    else
      this.#tell(
        [parseAttempt(ref, text, number)].flatMap((news) => news ?? []),
        false,
      );
  }

  hint(ref: AgentRef, hint: WakeHint): void {
    // As for nearly every message.
    if (this.#agents.size === 0 && this.#listeners.size === 0) return;
    const key = keyOf(ref);
    if (this.#agents.has(key)) this.onAnyHint(onlyRef(ref), hint);
    for (const listener of Array.from(this.#listeners.get(key) ?? [])) listener(hint);
  }

  /** For a companion that waits; the returned function unsubscribes. */
  onHint(ref: AgentRef, listener: Listener): () => void {
    return subscribe(this.#listeners, keyOf(ref), listener);
  }

  /** Attempts that begin or end in this session, at any hub. */
  onNews(sessionId: string, listener: (news: AttemptNews) => void): () => void {
    return subscribe(this.#followers, sessionId, listener);
  }

  /** Reads what the store has. A read that is under way is repeated, as it may have missed the change. */
  refresh(ref: AgentRef): Promise<void> {
    const key = keyOf(ref);
    const running = this.#reading.get(key);
    if (running !== undefined) {
      running.isStale = true;
      return running.done;
    }
    const reading = { isStale: false, done: Promise.resolve() };
    reading.done = this.#readUntilFresh(onlyRef(ref), reading).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading.done;
  }

  async #readUntilFresh(ref: AgentRef, reading: { isStale: boolean }): Promise<void> {
    const { store, clock, log } = this.#ports;
    do {
      reading.isStale = false;
      try {
        const facts = await store.wakeFacts({ ...ref, now: clock.now() });
        this.#remember(ref, facts);
      } catch (error) {
        log.warn('wake routes not read', { error: String(error) });
      }
    } while (reading.isStale);
  }

  #remember(ref: AgentRef, facts: WakeFacts): void {
    const key = keyOf(ref);
    const { routes, last, at } = facts;
    if (routes.length === 0 && (last === null || (last.endedAt !== null && at - last.endedAt > keptMs))) {
      this.#agents.delete(key);
      this.#calls.delete(key);
      return;
    }
    const skewMs = this.#ports.clock.now() - at;
    const known: Known = { facts, skewMs, confirming: this.#agents.get(key)?.confirming };
    this.#agents.set(key, known);
    // The agent may have called here before this hub knew of the wake.
    const attemptedAt = hasOpenAttempt(facts) ? (last?.attempts[0]?.attemptedAt ?? Infinity) : Infinity;
    const calledAt = this.#ports.calledAt(ref.sessionId, ref.agentId) ?? 0;
    if (calledAt > attemptedAt + skewMs) void this.#confirm(ref, known);
  }

  #confirm(ref: AgentRef, known: Known): Promise<void> {
    known.confirming ??= this.#confirmOnce(ref).finally(() => {
      const current = this.#agents.get(keyOf(ref));
      if (current !== undefined) current.confirming = undefined;
      known.confirming = undefined;
    });
    return known.confirming;
  }

  /** A call never fails because of this: the next one, or the sweeper, confirms it. */
  async #confirmOnce(ref: AgentRef): Promise<void> {
    const { store, clock, log } = this.#ports;
    try {
      await this.changed(ref, await store.confirmWake({ ...ref, now: clock.now() }));
    } catch (error) {
      log.warn('wake not confirmed', { error: String(error) });
    }
  }

  #setLease(ref: AgentRef, routeId: string, leaseUntil: number): void {
    const known = this.#agents.get(keyOf(ref));
    const route = known?.facts.routes.find(({ id }) => id === routeId);
    if (route === undefined) void this.refresh(ref);
    else route.leaseUntil = leaseUntil;
  }

  #callsOf(key: string): { elsewhere: number; published: number } {
    let calls = this.#calls.get(key);
    if (calls === undefined) this.#calls.set(key, (calls = { elsewhere: 0, published: 0 }));
    return calls;
  }

  #tell(news: readonly AttemptNews[], isOwn: boolean): void {
    for (const each of news) {
      if (isOwn) {
        const { sessionId, agentId, kind, state, at, confirmedMs } = each;
        this.#ports.metrics.wakeAttempt(kind, state, confirmedMs);
        this.#ports.publish({ sessionId, agentId, what: 'attempt', text: `${kind} ${state}`, number: at });
      }
      for (const follower of Array.from(this.#followers.get(each.sessionId) ?? [])) follower(each);
    }
  }
}

function hasOpenAttempt({ last }: WakeFacts): boolean {
  return last?.state === 'open' && last.attempts.length > 0;
}

/** Undefined for what a hub of another release may have written. */
function parseAttempt(ref: AgentRef, text: string, at: number): AttemptNews | undefined {
  const [kind, state] = text.split(' ');
  const knownKind = wakeKinds.find((known) => known === kind);
  const knownState = attemptStates.find((known) => known === state);
  if (knownKind === undefined || knownState === undefined) return undefined;
  return { ...ref, kind: knownKind, state: knownState, at, confirmedMs: null };
}

function onlyRef({ sessionId, agentId }: AgentRef): AgentRef {
  return { sessionId, agentId };
}

function keyOf({ sessionId, agentId }: AgentRef): string {
  return `${sessionId}\n${agentId}`;
}

function subscribe<L>(topics: Map<string, Set<L>>, topic: string, listener: L): () => void {
  const listeners = topics.get(topic) ?? new Set();
  topics.set(topic, listeners);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) topics.delete(topic);
  };
}
