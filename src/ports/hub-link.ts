// What hubs that share a store tell each other. Words are hints and may be lost; the store is the truth, and `newestMail`
// and `lastSeqs` look at it now and then for whoever waits.

export interface HubLinkListener {
  heard(word: string): void;
  /** The link was down for a while: anything may have been said. */
  missed(): void;
}

export interface HubLink {
  /** The other hubs hear these in order. */
  publish(words: readonly string[]): void;
  listen(listener: HubLinkListener): void;
  /** The longest word that can be published, in bytes. */
  readonly wordBytesMax: number;
  /** Of these readers those with mail that no one holds, and the highest seq of it. */
  newestMail(
    readers: readonly { sessionId: string; agentId: string }[],
  ): Promise<{ sessionId: string; agentId: string; seq: number }[]>;
  lastSeqs(sessionIds: readonly string[]): Promise<{ sessionId: string; seq: number }[]>;
  close(): Promise<void>;
}
