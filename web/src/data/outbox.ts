// Answers, declines and replies that wait to be sent: written before the first attempt, removed when the hub has them, so
// that neither a lost connection nor a closed page loses one. Answers to sealed questions are kept sealed.
import { callHub } from '../device/call-hub.js';
import { readAll, remove, write } from '../device/database.js';
import { readDevice } from '../device/identity.js';
import { announce } from './announce.js';
import { decideOutcome, type Outcome } from './decide-outcome.js';

export interface Letter {
  /** Begins with the time, so that letters are sent in the order they were written. */
  key: string;
  operation: 'answer_question' | 'decline_question' | 'send_message';
  input: object;
  /** Who speaks, where it is not the device that is signed in. */
  headers: Record<string, string>;
  /** The question that it answers. */
  questionId?: string;
  /** When it was written, in ms. */
  at: number;
  /** Set when it will not be sent: the person is told, then it is dropped. */
  outcome?: Outcome;
}

export type Draft = Pick<Letter, 'operation' | 'input' | 'headers' | 'questionId'>;

/** Keeps the letter and tries to send it now. */
export async function sendOrKeep(draft: Draft): Promise<Outcome> {
  const at = Date.now();
  const key = `${String(at).padStart(15, '0')}-${crypto.randomUUID()}`;
  await write('outbox', key, { ...draft, key, at } satisfies Letter);
  announce('outbox');
  return (await sendKept()).get(key) ?? { state: 'waiting' };
}

/** Letters that wait, and those that will not be sent. */
export async function readOutbox(): Promise<Letter[]> {
  return readAll<Letter>('outbox');
}

export async function dropLetter(key: string): Promise<void> {
  await remove('outbox', key);
  announce('outbox');
}

/** Sends what waits, in order, up to the first that must wait on. A page and the worker may both try: one at a time. */
export async function sendKept(): Promise<Map<string, Outcome>> {
  return navigator.locks.request('coterie-outbox', sendAll);
}

async function sendAll(): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const waiting = (await readOutbox()).filter((letter) => letter.outcome === undefined);
  for (const letter of waiting) {
    const outcome = await send(letter);
    outcomes.set(letter.key, outcome);
    if (outcome.state === 'waiting') break;
    if (outcome.state === 'sent') await remove('outbox', letter.key);
    else await write('outbox', letter.key, { ...letter, outcome });
  }
  if (outcomes.size > 0) announce('outbox');
  return outcomes;
}

async function send({ operation, input, headers }: Letter): Promise<Outcome> {
  try {
    await callHub(operation, input, headers);
    return { state: 'sent' };
  } catch (error) {
    const device = await readDevice();
    return decideOutcome(error, {
      person: device?.person ?? headers['coterie-agent'] ?? '',
      device: device?.name ?? '',
    });
  }
}
