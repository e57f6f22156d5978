// How a reply that handed out messages ended, as reported by the transport that wrote it.

/** Settled once; a cancellation may still follow. */
export interface ReplyOutcome {
  /** The caller has the reply. */
  arrived(): void;
  /** The reply was lost: the messages are delivered again, marked as redelivered. */
  lost(): void;
  /** No byte was written: the messages are delivered again, unmarked. */
  unsent(): void;
  /** The caller cancelled the call, possibly after the reply was taken to have arrived. */
  cancelled(): void;
}
