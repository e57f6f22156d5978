// New ids and tokens, from one place.

export interface Ids {
  threadId(): string;
  leaseToken(): string;
  /** A 31-bit number that colours a session's message ids. */
  sessionSalt(): number;
}
