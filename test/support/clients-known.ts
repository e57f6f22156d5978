// What the hub knows of clients, as docs/decisions/0017-client-profiles.md has it: the longest wait with and without a
// progress token.

export const knownClients: readonly [name: string, waitMs: number, silentWaitMs: number][] = [
  ['claude-code', 600_000, 50_000],
  ['codex-mcp-client', 290_000, 290_000],
  ['opencode', 600_000, 50_000],
  ['gemini-cli-mcp-client', 590_000, 50_000],
  ['copilot-cli', 600_000, 170_000],
];

/** The most that can be asked for: a wait cut to it is not cut. */
export const askedMs = 600_000;
