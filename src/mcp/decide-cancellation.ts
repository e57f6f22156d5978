// Whether a cancellation takes the messages of its call's answer back. Why, and the limits: docs/decisions/0016.
import type { CancelReason } from '../ports/reply-outcome.js';

/** A reason is a sentence; what follows is not read. */
const reasonChars = 500;

/** "McpError: MCP error -32001: Request timed out", "request timeout", "REQUEST_TIMED_OUT", "context deadline exceeded". */
const timedOut = /time[sd]?[ _-]?out|deadline exceeded/i;

/** What `AbortSignal.timeout` says, after the name of its error: an abort, which may follow an answer that was used. */
const fromSignal = /^TimeoutError\b/;

export function cancelReasonOf(given: unknown): CancelReason {
  if (typeof given !== 'string') return 'aborted';
  const reason = given.slice(0, reasonChars);
  return timedOut.test(reason) && !fromSignal.test(reason) ? 'timed-out' : 'aborted';
}

export function takesBack(reason: CancelReason, { isWritten }: { isWritten: boolean }): boolean {
  return reason === 'timed-out' || !isWritten;
}
