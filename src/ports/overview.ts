// What hubs count for the overview and tell each other. Nothing of it is stored.

/** A loop that the guard has stopped. */
export interface StoppedLoop {
  sessionId: string;
  /** Who was stopped, and the other of the two; null for a chain of replies among more. */
  sender: string;
  other: string | null;
  threadId: string | null;
  /** The last time, and how often so far. */
  at: number;
  count: number;
}

/** How long woken waits took in one minute of a session: `place:count` with spaces between. */
export interface DelayNews {
  sessionId: string;
  minute: number;
  counts: string;
}

/** How long waits took to answer once they were woken, in milliseconds. */
export interface DelaysRead {
  count: number;
  p50: number | null;
  p99: number | null;
  /** The 99th percentile in each part of the time; null where no wait was woken. */
  parts: (number | null)[];
}
