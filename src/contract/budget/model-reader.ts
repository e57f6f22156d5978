// A caller whose answers a model reads, and pays for by the token. Programs have none of this: they get whole results.

export interface ModelReader {
  /** What one answer may cost at most, text and structured result each. */
  readonly tokensMax: number;
  /** Names the conversation the answers go into; null when it cannot be told from others. */
  readonly conversation: string | null;
}

export const resultTokensMin = 1_000;
export const resultTokensMax = 1_000_000;
