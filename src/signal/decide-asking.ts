// What may be asked, and until when. Pure: the store calls it in its transaction.
import { HubError } from '../contract/errors.js';
import { limits } from '../contract/limits.js';
import type { SignalRecord } from '../ports/signal.js';

const defaultTtlSeconds = 7 * 24 * 60 * 60;

/** `ttl` in seconds; 0: never. */
export function expiryOf(ttl: number | undefined, now: number): number | null {
  return ttl === 0 ? null : now + Math.round((ttl ?? defaultTtlSeconds) * 1000);
}

export function requireRoomForQuestion(sender: string, pending: number): void {
  if (pending < limits.questionsPending) return;
  throw new HubError('LIMIT_REACHED', `${pending} questions of '${sender}' wait for an answer, the most allowed.`, {
    hint: 'Wait for an answer with get_response, or take one back with cancel_question.',
    details: { limit: limits.questionsPending },
  });
}

/** A follow-up is to a question of the asker, or to one put to one of the same people. */
export function requireFollowable(
  id: string,
  earlier: SignalRecord | undefined,
  { sender, people }: Pick<SignalRecord, 'sender' | 'people'>,
): void {
  const isKnown =
    earlier !== undefined &&
    earlier.kind !== 'alert' &&
    (earlier.sender === sender || earlier.people.some((person) => people.includes(person)));
  if (isKnown) return;
  throw new HubError('QUESTION_UNKNOWN', `inReplyTo: no question '${id.slice(0, 80)}' is known to you.`, {
    hint: 'Give the questionId of an earlier question, or leave inReplyTo out.',
    details: { field: 'inReplyTo', questionId: id.slice(0, 80) },
  });
}

export function requireSameQuestion({ key, mac }: { key: string; mac: string }, firstMac: string): void {
  if (mac === firstMac) return;
  throw new HubError('IDEMPOTENCY_CONFLICT', `The key '${key}' was used for another question.`, {
    hint: 'Use a new key for a new question; the same key only to retry the same one.',
    details: { idempotencyKey: key },
  });
}

export function idTaken(id: string): HubError {
  return new HubError('ID_TAKEN', `There is already a question or alert '${id}'.`, {
    hint: 'Choose a new random id.',
    details: { id },
  });
}
