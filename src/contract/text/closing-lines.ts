// What the text of any answer ends with: what was left out of it, and what waits for its caller. Agents forget to look.

export function withClosingLines(text: string, output: Record<string, unknown>): string {
  const { unread, messages, hasMore, leftOut } = output;
  const isToldAlready = messages !== undefined && hasMore === true;
  return [
    text,
    ...(typeof leftOut === 'object' && leftOut !== null
      ? [
          `Left out to stay short: ${Object.entries(leftOut)
            .map(([list, count]) => `${count} of ${list}`)
            .join(', ')}`,
        ]
      : []),
    ...(typeof unread !== 'number' || isToldAlready ? [] : [`unread: ${unread}`]),
  ].join('\n');
}
