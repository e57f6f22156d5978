// What is known of MCP clients, by the name in their clientInfo: which form of a result their model needs, and how long
// they wait for one. Measured: docs/decisions/0017-client-profiles.md.

/** `text`: text and media only. `both`: the structured result too. */
export type ResultForm = 'text' | 'both';

export interface ClientProfile {
  readonly results: ResultForm;
  /** The longest wait while progress is reported, below the client's own timeout. */
  readonly waitMs: number;
  /** The longest wait of a call without a progress token. */
  readonly silentWaitMs: number;
}

/** Clients with a model get text: with a structured result they hide text and images, or show everything twice. */
const profiles: ReadonlyMap<string, ClientProfile> = new Map([
  ['claude-code', { results: 'text', waitMs: 600_000, silentWaitMs: 50_000 }],
  ['codex-mcp-client', { results: 'text', waitMs: 290_000, silentWaitMs: 290_000 }],
  ['opencode', { results: 'text', waitMs: 600_000, silentWaitMs: 50_000 }],
  ['gemini-cli-mcp-client', { results: 'text', waitMs: 590_000, silentWaitMs: 50_000 }],
  ['copilot-cli', { results: 'text', waitMs: 600_000, silentWaitMs: 170_000 }],
  ['coterie-bridge', { results: 'both', waitMs: 600_000, silentWaitMs: 600_000 }],
]);

/** Other clients are mostly programs. `unknownMs` is a setting; its default is below the 55 s of some proxies. */
export function profileOf(clientName: string | undefined, unknownMs: number): ClientProfile {
  return profiles.get(clientName ?? '') ?? { results: 'both', waitMs: unknownMs, silentWaitMs: unknownMs };
}

export function waitLimitOf({ waitMs, silentWaitMs }: ClientProfile, reportsProgress: boolean): number {
  return reportsProgress ? waitMs : silentWaitMs;
}

export function isResultForm(value: string): value is ResultForm {
  return value === 'text' || value === 'both';
}
