// What no answer may be: an unexpected failure of the hub, a request left without an answer, or a secret.
import type { FuzzAnswer } from './exchange.js';
import type { FuzzRequest } from './requests.js';

/** The failures that a caller is told to expect; see docs/errors.md. */
const expectedFailures = /"(TOO_MANY_WAITS|NO_RESPONSES)"/;

export function faultIn(request: FuzzRequest, answer: FuzzAnswer, secrets: readonly string[]): string | undefined {
  const { status, text, isGivenUp } = answer;
  if (isGivenUp && !request.mayStayOpen) return 'no answer';
  if (status === undefined && !request.mayStayOpen) return 'closed without an answer';
  if (/"code":"INTERNAL"|INTERNAL: |"code":-32603/.test(text) && !isRefusedBySdk(text)) return 'an internal error';
  if (status !== undefined && status >= 500 && !expectedFailures.test(text)) return `status ${status}`;
  const told = secrets.find((secret) => text.includes(secret));
  return told === undefined ? undefined : 'a secret in the answer';
}

/** The official SDK answers a handshake that it cannot parse with the number of an internal error, and the list of its faults. */
function isRefusedBySdk(text: string): boolean {
  return text.includes('"code":-32603,"message":"[\\n  {\\n');
}
