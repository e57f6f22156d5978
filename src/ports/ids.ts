// New ids and tokens, from one place.

export interface Ids {
  threadId(): string;
  leaseToken(): string;
}
