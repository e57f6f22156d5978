// Answers on their way: shown at once, sent, and kept when there is no connection.
import { signal } from '@preact/signals';
import { sealAnswer } from '../device/open.js';
import { call, Refused, Unreachable } from './api.js';
import { refresh, type Question } from './store.js';

export interface Given {
  status: 'answered' | 'declined';
  /** From 1; null for free text. */
  option: number | null;
  /** The option's text, the free text, or the reason. */
  response: string;
}

export interface Sending extends Given {
  state: 'sending' | 'queued' | 'failed';
  error?: Refused | Unreachable;
}

/** By the question's id; removed when the hub's own list has the outcome. */
export const sending = signal<Readonly<Record<string, Sending>>>({});

export async function answer(question: Question, given: Given): Promise<void> {
  const isBusy = sending.value[question.id]?.state === 'sending';
  if (isBusy || question.status !== 'pending') return;
  set(question.id, { ...given, state: 'sending' });
  try {
    const { option, response, status } = given;
    const fields = await sealAnswer(question, { option, response }, status);
    await call(status === 'answered' ? 'answer_question' : 'decline_question', fields);
    await refresh('signals');
    set(question.id, undefined);
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
    set(question.id, { ...given, state: 'failed', error });
    // Answered elsewhere, expired or cancelled: the list says which.
    if (error instanceof Refused && error.status === 409) await refresh('signals');
  }
}

export async function retry(question: Question): Promise<void> {
  const given = sending.value[question.id];
  if (given === undefined) return;
  const { status, option, response } = given;
  await answer(question, { status, option, response });
}

export function forget(questionId: string): void {
  set(questionId, undefined);
}

function set(id: string, state: Sending | undefined): void {
  const { [id]: _, ...others } = sending.value;
  sending.value = state === undefined ? others : { ...others, [id]: state };
}
