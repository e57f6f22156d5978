// What the hub's refusal of an answer means, where the answer may have been sent before.
import { isTransient, Refused } from './request.js';

/** `late`: the question had ended, by whom and where if someone answered. `refused`: the hub will never take it. */
export type Outcome =
  | { state: 'sent' }
  | { state: 'waiting' }
  | { state: 'late'; status: string; by?: string; on?: string }
  | { state: 'refused'; code: string; message: string };

/** `device`: the name of the device that sent it. */
export function decideOutcome(error: unknown, { person, device }: { person: string; device: string }): Outcome {
  if (isTransient(error)) return { state: 'waiting' };
  if (!(error instanceof Refused)) throw error;
  const { status, code, message, details } = error;
  // Not signed in, or by now someone else is: it is sent after the next sign-in.
  if (status === 401 || code === 'IDENTITY_MISMATCH') return { state: 'waiting' };
  if (code === 'ALREADY_ANSWERED' || (code === 'QUESTION_CLOSED' && details['status'] === 'declined')) {
    const by = textIn(details, 'answeredBy');
    const on = textIn(details, 'answeredOn');
    // The reply to an earlier attempt was lost: what counts is this device's own answer.
    if (by === person && on === device) return { state: 'sent' };
    return {
      state: 'late',
      status: 'answered',
      ...(by === undefined ? {} : { by }),
      ...(on === undefined ? {} : { on }),
    };
  }
  if (code === 'QUESTION_CLOSED') return { state: 'late', status: textIn(details, 'status') ?? 'closed' };
  return { state: 'refused', code, message };
}

function textIn(details: Record<string, unknown>, name: string): string | undefined {
  const value = details[name];
  return typeof value === 'string' ? value : undefined;
}
