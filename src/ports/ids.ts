// All new ids and tokens come from here.

export interface Ids {
  threadId(): string;
  leaseToken(): string;
  sessionId(): string;
  importId(): string;
  questionId(): string;
  alertId(): string;
  channelId(): string;
  wakeRouteId(): string;
  wakeId(): string;
}
