// Agents forget to look: the text of an answer ends with what waits for its caller.

export function withUnreadLine(text: string, { unread, messages, hasMore }: Record<string, unknown>): string {
  const isToldAlready = messages !== undefined && hasMore === true;
  return typeof unread !== 'number' || isToldAlready ? text : `${text}\nunread: ${unread}`;
}
