// Answers on their way: shown at once, sent, and kept when there is no connection.
import { signal } from '@preact/signals';
import { sealAnswer } from '../device/open.js';
import { onChange } from './announce.js';
import { Refused, type Unreachable } from './api.js';
import { speaker } from './hub.js';
import type { Outcome } from './decide-outcome.js';
import { dropLetter, readOutbox, sendKept, sendOrKeep, signInEnded, type Letter } from './outbox.js';
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

/** How many messages were not sent, because the sign-in under which they were written has ended. */
export const notSent = signal(0);

export async function answer(question: Question, given: Given): Promise<void> {
  const isBusy = sending.value[question.id]?.state === 'sending';
  if (isBusy || question.status !== 'pending') return;
  set(question.id, { ...given, state: 'sending' });
  const { option, response, status } = given;
  const outcome = await sendOrKeep({
    operation: status === 'answered' ? 'answer_question' : 'decline_question',
    input: await sealAnswer(question, { option, response }, status),
    owner: speaker.value,
    questionId: question.id,
  });
  await show(question.id, given, outcome);
  await dropEnded();
}

export async function retry(question: Question): Promise<void> {
  const given = sending.value[question.id];
  if (given?.state === 'queued') {
    await sendKept();
  } else if (given !== undefined) {
    const { status, option, response } = given;
    await answer(question, { status, option, response });
  }
}

export function forget(questionId: string): void {
  set(questionId, undefined);
}

/** Follows what waits to be sent: letters of an earlier visit, and those that the worker or another page sends. */
export async function followOutbox(): Promise<void> {
  onChange((change) => {
    if (change === 'outbox') void showOutbox();
  });
  await showOutbox();
}

async function showOutbox(): Promise<void> {
  const letters = await readOutbox(speaker.value);
  const kept = new Map(letters.map((letter) => [letter.questionId, letter]));
  for (const [id, given] of Object.entries(sending.value)) {
    if (given.state !== 'queued' || kept.has(id)) continue;
    await refresh('signals');
    set(id, undefined);
  }
  for (const letter of letters) {
    const id = letter.questionId;
    if (id === undefined || sending.value[id]?.state === 'sending') continue;
    await show(id, sending.value[id] ?? (await givenIn(letter)), letter.outcome ?? { state: 'waiting' });
  }
  await dropEnded();
}

/** The page has shown what became of them. */
async function dropEnded(): Promise<void> {
  for (const { key, outcome, operation } of await readOutbox(speaker.value)) {
    if (outcome === undefined) continue;
    const isEnded = outcome.state === 'refused' && outcome.code === signInEnded;
    if (isEnded && operation === 'send_message') notSent.value += 1;
    await dropLetter(key);
  }
}

async function show(id: string, { status, option, response }: Given, outcome: Outcome): Promise<void> {
  const given = { status, option, response };
  switch (outcome.state) {
    case 'sent':
      await refresh('signals');
      set(id, undefined);
      return;
    case 'waiting':
      set(id, { ...given, state: 'queued' });
      return;
    case 'late':
      // The list says by whom, where and when.
      set(id, { ...given, state: 'failed' });
      await refresh('signals');
      return;
    case 'refused':
      set(id, { ...given, state: 'failed', error: new Refused(400, outcome) });
  }
}

/** Of a letter from an earlier visit. A sealed one stays closed: the page shows that there is an answer, not which. */
async function givenIn({ operation, input }: Letter): Promise<Given> {
  const { option = null, response = '' } = input as { option?: number; response?: string };
  return { status: operation === 'decline_question' ? 'declined' : 'answered', option, response };
}

function set(id: string, state: Sending | undefined): void {
  const { [id]: _, ...others } = sending.value;
  sending.value = state === undefined ? others : { ...others, [id]: state };
}
