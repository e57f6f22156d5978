// How a reply that handed out messages ended, as reported by the transport that wrote it.

/** Why a client cancelled a call: its own time-out proves that it saw no answer, an abort does not. */
export type CancelReason = 'timed-out' | 'aborted';

/** Settled once; a cancellation may still follow. */
export interface ReplyOutcome {
  /** The caller has the reply. */
  arrived(): void;
  /** The reply was lost: the messages are delivered again, marked as redelivered. */
  lost(): void;
  /** No byte was written: the messages are delivered again, unmarked if nothing was handed out since. */
  unsent(): void;
  /** A cancellation shows that the caller has not seen the reply, which may have been taken to have arrived. */
  cancelled(): void;
}
