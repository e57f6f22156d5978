// The memory that answers may take at once: those that are read from the store, built, or not yet taken by their client.
import type { Caller } from './caller.js';

/** What one response holds. */
export interface AnswerHold {
  /** Waits for room in its turn, or throws BUSY. Call it before anything is taken for the answer. Returns what gives it back. */
  take(caller: Pick<Caller, 'grant' | 'sessionId' | 'agentId'>, bytes: number): Promise<() => void>;
}

/** The same for who writes the response. */
export interface WrittenAnswer extends AnswerHold {
  /** The answer is written, and has this size. */
  written(bytes: number): void;
  /** The client has taken it, or is gone. */
  end(): void;
}

/** The response that an answer is written to. */
export interface AnswerSink {
  /** The same object for all responses on it. */
  connection: object;
  /** Ends it: its client does not read. */
  cut: () => void;
}

export interface AnswerHolds {
  hold(sink: AnswerSink): WrittenAnswer;
}
