/** What comes at once is one piece of news. */
const gatherMs = 100;

/**
 * The function to call with each piece of news. It leads to `read` at once, as a person sees it, but at most once in `everyMs`:
 * a busy session has much news.
 */
export function atMostEvery(everyMs: number, read: () => void): () => void {
  let readAt = Number.NEGATIVE_INFINITY;
  let isOwed = false;
  return () => {
    if (isOwed) return;
    isOwed = true;
    const waitMs = Math.max(gatherMs, readAt + everyMs - performance.now());
    setTimeout(() => {
      isOwed = false;
      readAt = performance.now();
      read();
    }, waitMs);
  };
}
