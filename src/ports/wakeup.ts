// Hints that something may have changed. The woken side reads the store: a lost or false hint costs only time.

export interface CopyHint {
  sessionId: string;
  agentId: string;
  /** Of the message; null in a hint from another hub. */
  seq: number | null;
  threadId: string | null;
  sender: string;
  /** False for plain thread posts, which wake only waits for all. */
  isWaking: boolean;
  isInterrupt: boolean;
}

export interface Wakeup {
  /** Copies were stored for these readers. */
  copies(hints: readonly CopyHint[]): void;
  /** An agent was registered, removed or seen in this session. */
  agents(sessionId: string): void;
  /** A message was added to this session's feed. */
  feed(sessionId: string): void;
  /** The session was closed: its waits end. */
  closed(sessionId: string): void;
  /** A question or an alert of this session was added or changed. */
  signals(sessionId: string): void;
  /** A message was added to this thread, or its members or its status changed. */
  thread(sessionId: string, threadId: string): void;
}
