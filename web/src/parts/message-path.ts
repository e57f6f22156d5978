// Where a message is shown: in its thread, among those around it; one that is in none, alone.

/** Of threads that were created. Any other text in its place is a label, which has no page. */
const threadIdPattern = /^t\d{12}$/;

export function isOfThread(threadId: string | undefined): threadId is string {
  return threadId !== undefined && threadIdPattern.test(threadId);
}

export function messagePath(id: string, threadId: string | undefined): string {
  return isOfThread(threadId) ? `/app/thread/${threadId}?at=${id}` : `/app/message/${id}`;
}
