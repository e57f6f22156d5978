// How long each MCP client lets a tool call run before it gives up. The hub answers before that, so no wait is cut off
// by the other side. Measured or documented figures: docs/decisions/0004.

const waitMsByClient: readonly [name: RegExp, waitMs: number][] = [
  [/^claude[-_ ]?code/i, 170_000],
  [/^codex/i, 240_000],
  [/^gemini[-_ ]?cli/i, 300_000],
  [/^coterie-bridge/i, 600_000],
];

/** `unknownMs` is a setting; its default lies under the 55 s at which some proxies cut. */
export function waitMsFor(clientName: string | undefined, unknownMs: number): number {
  const known = clientName === undefined ? undefined : waitMsByClient.find(([name]) => name.test(clientName));
  return known?.[1] ?? unknownMs;
}
