// The last line of a history page: nothing found, or how to continue. An empty page may still have a next one, because
// one call scans a limited number of messages.

interface Page {
  messages: readonly unknown[];
  hasMore: boolean;
  cursor: string | null;
}

export function moreLines(operation: string, { messages, hasMore, cursor }: Page): string[] {
  const next = `call ${operation} with the same fields and cursor "${cursor}"`;
  if (hasMore)
    return [messages.length === 0 ? `Nothing among the newest; to look further back ${next}` : `More: ${next}`];
  return messages.length === 0 ? ['No messages.'] : [];
}
