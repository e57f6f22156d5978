// How a page of history ends: nothing found, or how to go on. A page may be empty and yet not the last, because one
// call looks at a bounded number of messages.

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
