// A caller that passes answers to a model, which has a token budget. Other programs get whole results.

export interface ModelReader {
  /** Token budget of one answer; applies to text and structured result separately. */
  readonly tokensMax: number;
  /** Identifies the conversation the answers become part of; null if unknown. */
  readonly conversation: string | null;
}

export const resultTokensMin = 1_000;
export const resultTokensMax = 1_000_000;
