// The keys by which statements refer to an inbox and a thread.

export interface InThread {
  sessionId: string;
  threadId: string;
}

export interface Inbox {
  sessionId: string;
  agentId: string;
}
