// The tool-call timeout of known MCP clients. The hub answers before it, so that the client never times out.
// Measured or documented values: docs/decisions/0004.

const waitMsByClient: readonly [name: RegExp, waitMs: number][] = [
  [/^claude[-_ ]?code/i, 170_000],
  [/^codex/i, 240_000],
  [/^gemini[-_ ]?cli/i, 300_000],
  [/^coterie-bridge/i, 600_000],
];

/** `unknownMs` is configurable; its default is below the 55 s after which some proxies close a connection. */
export function waitMsFor(clientName: string | undefined, unknownMs: number): number {
  const known = clientName === undefined ? undefined : waitMsByClient.find(([name]) => name.test(clientName));
  return known?.[1] ?? unknownMs;
}
