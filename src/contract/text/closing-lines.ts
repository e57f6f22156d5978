// The last lines of every text: what was left out, and the unread count, because agents forget to check their inbox.

export function withClosingLines(text: string, output: Record<string, unknown>): string {
  const { unread, messages, hasMore, leftOut } = output;
  const isMentioned = messages !== undefined && hasMore === true;
  return [
    text,
    ...(typeof leftOut === 'object' && leftOut !== null
      ? [
          `Left out to stay short: ${Object.entries(leftOut)
            .map(([list, count]) => `${count} of ${list}`)
            .join(', ')}`,
        ]
      : []),
    ...(typeof unread !== 'number' || isMentioned ? [] : [`unread: ${unread}`]),
  ].join('\n');
}
