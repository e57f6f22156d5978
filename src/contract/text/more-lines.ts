// A history page that is empty, or not the last. An empty page may still have a next one, because one call scans a
// limited number of messages.

interface Page {
  messages: readonly unknown[];
  hasMore: boolean;
  cursor: string | null;
}

export function nothingLine({ messages, hasMore }: Page): string[] {
  return messages.length === 0 && !hasMore ? ['No messages.'] : [];
}

export function nextPage(operation: string, { messages, hasMore, cursor }: Page): string[] {
  if (!hasMore) return [];
  const next = `call ${operation} with the same fields and cursor "${cursor}"`;
  return [messages.length === 0 ? `Nothing among the newest; to look further back ${next}` : `More: ${next}`];
}
