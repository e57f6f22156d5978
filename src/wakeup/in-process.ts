// Wake-ups within one hub: hints go to the parked waits, to barriers and to followers of the feed or of a thread.
import type { CopyHint, Wakeup } from '../ports/wakeup.js';

type Listener = () => void;

interface WokenWaits {
  signalFirst(hint: CopyHint): void;
  signalSession(sessionId: string): void;
  signalEvery(): void;
}

export class InProcessWakeup implements Wakeup {
  readonly #signalWait: (hint: CopyHint) => void;
  readonly #signalEveryWait: () => void;
  readonly #signalSession: (sessionId: string) => void;
  readonly #agents = new Map<string, Set<Listener>>();
  readonly #feeds = new Map<string, Set<Listener>>();
  readonly #threads = new Map<string, Set<Listener>>();
  /** Called for every session. */
  onAnySignals: () => void = () => {};
  readonly #signals = new Map<string, Set<Listener>>();
  readonly #signalFeeds = new Map<string, Set<Listener>>();

  /** Called with each copy that wakes its reader. */
  onMail: (hint: CopyHint) => void = () => {};

  /** Called first when sessions may have been closed. */
  onClosed: () => void = () => {};

  constructor(waits: WokenWaits) {
    this.#signalWait = (hint) => waits.signalFirst(hint);
    this.#signalEveryWait = () => waits.signalEvery();
    this.#signalSession = (sessionId) => waits.signalSession(sessionId);
  }

  copies(hints: readonly CopyHint[]): void {
    for (const hint of hints) {
      this.#signalWait(hint);
      if (hint.isWaking || hint.isInterrupt) this.onMail(hint);
    }
  }

  agents(sessionId: string): void {
    call(this.#agents.get(sessionId));
  }

  feed(sessionId: string): void {
    call(this.#feeds.get(sessionId));
  }

  thread(sessionId: string, threadId: string): void {
    // Called for every post, and hardly any thread has a listener.
    if (this.#threads.size > 0) call(this.#threads.get(threadTopic(sessionId, threadId)));
  }

  signals(sessionId: string): void {
    this.onAnySignals();
    call(this.#signals.get(sessionId));
    call(this.#signalFeeds.get(sessionId));
  }

  closed(sessionId: string): void {
    this.onClosed();
    this.#signalSession(sessionId);
    this.agents(sessionId);
    this.signals(sessionId);
    this.session(sessionId);
  }

  /** Every barrier in every session reads again. */
  allAgents(): void {
    for (const listeners of Array.from(this.#agents.values())) call(listeners);
  }

  /** Every wait for an answer reads again. */
  allSignals(): void {
    for (const listeners of Array.from(this.#signals.values())) call(listeners);
  }

  /** Sessions with a follower of the feed or of a thread at this hub. */
  followedSessions(): string[] {
    const ofThreads = [...this.#threads.keys()].map((topic) => topic.slice(0, topic.indexOf('\n')));
    return [...new Set([...this.#feeds.keys(), ...ofThreads])];
  }

  /** Followers of the session's feed and of its threads read again. */
  session(sessionId: string): void {
    call(this.#feeds.get(sessionId));
    for (const [topic, listeners] of Array.from(this.#threads)) if (topic.startsWith(`${sessionId}\n`)) call(listeners);
  }

  /** Anything may have happened: all waits, barriers and followers read again. */
  everything(): void {
    this.onClosed();
    this.#signalEveryWait();
    this.allAgents();
    this.allSignals();
    for (const listeners of Array.from(this.#signalFeeds.values())) call(listeners);
    for (const sessionId of this.followedSessions()) this.session(sessionId);
  }

  onAgents(sessionId: string, listener: Listener): () => void {
    return subscribe(this.#agents, sessionId, listener);
  }

  /** For waits, which also read again now and then. */
  onSignals(sessionId: string, listener: Listener): () => void {
    return subscribe(this.#signals, sessionId, listener);
  }

  /** For followers, which pass each hint on. */
  onSignalFeed(sessionId: string, listener: Listener): () => void {
    return subscribe(this.#signalFeeds, sessionId, listener);
  }

  onFeed(sessionId: string, listener: Listener): () => void {
    return subscribe(this.#feeds, sessionId, listener);
  }

  onThread(sessionId: string, threadId: string, listener: Listener): () => void {
    return subscribe(this.#threads, threadTopic(sessionId, threadId), listener);
  }
}

function threadTopic(sessionId: string, threadId: string): string {
  return `${sessionId}\n${threadId}`;
}

function call(listeners: Set<Listener> | undefined): void {
  for (const listener of Array.from(listeners ?? [])) listener();
}

function subscribe(topics: Map<string, Set<Listener>>, topic: string, listener: Listener): () => void {
  const listeners = topics.get(topic) ?? new Set();
  topics.set(topic, listeners);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) topics.delete(topic);
  };
}
