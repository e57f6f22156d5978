// The link between hubs that share a store. Notifications are hints and may be lost; the store is the truth, and
// `newestMail` and `lastSeqs` poll it for readers that wait.

export interface HubLinkListener {
  received(payload: string): void;
  /** The link was down for a while: any notification may have been lost. */
  missed(): void;
}

export interface HubLink {
  /** The other hubs receive these in order. */
  publish(payloads: readonly string[]): void;
  listen(listener: HubLinkListener): void;
  /** The longest payload that can be published. */
  readonly payloadBytesMax: number;
  /** Those of the readers that have unleased copies, with the highest seq among these copies. */
  newestMail(
    readers: readonly { sessionId: string; agentId: string }[],
  ): Promise<{ sessionId: string; agentId: string; seq: number }[]>;
  lastSeqs(sessionIds: readonly string[]): Promise<{ sessionId: string; seq: number }[]>;
  close(): Promise<void>;
}
