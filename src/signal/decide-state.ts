// The states of a question, and who may read and end it. Pure: the store calls it in its transaction.
import { HubError } from '../contract/errors.js';
import type { SignalRecord } from '../ports/signal.js';

/** A question past its time is expired, also before the store has ended it. */
export function asOf(signal: SignalRecord, now: number): SignalRecord {
  const { status, expiresAt } = signal;
  if (status !== 'pending' || expiresAt === null || expiresAt > now) return signal;
  return { ...signal, status: 'expired', endedAt: expiresAt };
}

/** A state leaves `pending` once. */
export function requirePending({ id, status, answeredBy, answeredOn }: SignalRecord): void {
  if (status === 'pending') return;
  const details = { questionId: id, status, answeredBy, answeredOn };
  if (status === 'answered') {
    const where = answeredOn === null ? '' : ` on ${answeredOn}`;
    throw new HubError('ALREADY_ANSWERED', `${answeredBy ?? 'Someone'} has answered question ${id}${where}.`, {
      hint: 'The first answer counts; list_questions shows it.',
      details,
    });
  }
  throw new HubError('QUESTION_CLOSED', `Question ${id} is ${status}; it takes no answer.`, {
    hint: 'list_questions with status "pending" shows those that wait for one.',
    details,
  });
}

/** The same for one that does not exist and for one that the caller may not see. */
export function questionUnknown(id: string): HubError {
  return new HubError('QUESTION_UNKNOWN', `No question '${id.slice(0, 80)}' is known to you.`, {
    hint: 'Use the questionId that ask_question returned; list_questions shows yours.',
    details: { questionId: id.slice(0, 80) },
  });
}
