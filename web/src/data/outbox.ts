// Answers, declines and replies that wait to be sent: written before the first attempt, removed when the hub has them, so
// that neither a lost connection nor a closed page loses one. Answers to sealed questions are kept sealed. Each is sent under
// the sign-in it was written under, never as someone else.
import { signInAgain } from '../device/call-hub.js';
import { readAll, remove, write } from '../device/database.js';
import { readDevice, type Device } from '../device/identity.js';
import { announce } from './announce.js';
import { decideOutcome, type Outcome } from './decide-outcome.js';
import { decideFate, headersOf, isSamePerson, isSameSignIn, localOwner, ownerIn, type Owner } from './owner.js';
import { Refused, request, Unreachable } from './request.js';
import type { HubInfo } from './types.js';

export interface Letter {
  /** Begins with the time, so that letters are sent in the order they were written. */
  key: string;
  operation: 'answer_question' | 'decline_question' | 'send_message';
  input: object;
  /** Under which sign-in it was written. Letters of an earlier version have none: they are the device's. */
  owner?: Owner | undefined;
  /** In letters of an earlier version: the local person. */
  headers?: Record<string, string>;
  /** The question that it answers. */
  questionId?: string;
  /** When it was written, in ms. */
  at: number;
  /** Set when it will not be sent: the person is told, then it is dropped. */
  outcome?: Outcome;
}

export type Draft = Pick<Letter, 'operation' | 'input' | 'owner' | 'questionId'>;

/** The outcome's code when the sign-in of a letter has ended before it could be sent. */
export const signInEnded = 'SIGN_IN_ENDED';

const lockName = 'coterie-outbox';

/** Keeps the letter and tries to send it now. */
export async function sendOrKeep(draft: Draft): Promise<Outcome> {
  const at = Date.now();
  const key = `${String(at).padStart(15, '0')}-${crypto.randomUUID()}`;
  await write('outbox', key, { ...draft, key, at } satisfies Letter);
  announce('outbox');
  return (await sendKept()).get(key) ?? { state: 'waiting' };
}

/** Letters of this sign-in that wait, and those of its person that will not be sent. */
export async function readOutbox(reader: Owner | undefined): Promise<Letter[]> {
  const device = await readDevice();
  return (await readAll<Letter>('outbox')).filter((letter) => {
    const owner = ownerOf(letter, device);
    return letter.outcome === undefined ? isSameSignIn(owner, reader) : isSamePerson(owner, reader);
  });
}

export async function dropLetter(key: string): Promise<void> {
  await remove('outbox', key);
  announce('outbox');
}

/** Sends what waits, in order, up to the first that must wait on. A page and the worker may both try: one at a time. */
export async function sendKept(): Promise<Map<string, Outcome>> {
  return navigator.locks.request(lockName, sendAll);
}

/** This sign-in has ended: what waits is dropped, and its person is told at the next one. */
export async function endLetters(by: Owner['by']): Promise<void> {
  await navigator.locks.request(lockName, async () => {
    const device = await readDevice();
    for (const letter of await readAll<Letter>('outbox')) {
      const owner = ownerOf(letter, device);
      if (owner?.by === by && letter.outcome === undefined) await end(letter, owner);
    }
  });
  announce('outbox');
}

export function ownerOfDevice({ session, person }: Device): Owner {
  return { session, person, by: 'device' };
}

function ownerOf({ owner, headers }: Letter, device: Device | undefined): Owner | undefined {
  if (owner !== undefined) return owner;
  const local = headers?.['coterie-agent'];
  if (local !== undefined) return localOwner(local);
  return device === undefined ? undefined : ownerOfDevice(device);
}

async function sendAll(): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const waiting = (await readAll<Letter>('outbox')).filter((letter) => letter.outcome === undefined);
  if (waiting.length === 0) return outcomes;
  const device = await readDevice();
  const info = await readPresent(waiting.some((letter) => ownerOf(letter, device)?.by === 'device'));
  if (info === undefined) return outcomes;
  for (const letter of waiting) {
    const owner = ownerOf(letter, device);
    const fate = decideFate(owner, ownerIn(info), Date.now());
    if (owner === undefined || fate === 'keep') continue;
    if (fate === 'over') {
      await end(letter, owner);
      continue;
    }
    const outcome = await send(letter, headersOf(owner, info.mode), {
      person: owner.person,
      device: device?.name ?? '',
    });
    outcomes.set(letter.key, outcome);
    if (outcome.state === 'waiting') break;
    if (outcome.state === 'sent') await remove('outbox', letter.key);
    else await write('outbox', letter.key, { ...letter, outcome });
  }
  announce('outbox');
  return outcomes;
}

/** Who is signed in now; undefined without an answer. The device signs in for what is its own. */
async function readPresent(isOfDevice: boolean): Promise<HubInfo | undefined> {
  try {
    const info = await readHub();
    return info.signedIn === undefined && isOfDevice && (await signInAgain()) ? await readHub() : info;
  } catch (error) {
    if (error instanceof Refused || error instanceof Unreachable) return undefined;
    throw error;
  }
}

async function readHub(): Promise<HubInfo> {
  return request('/app/hub', { method: 'GET' });
}

async function send(
  { operation, input }: Letter,
  headers: Record<string, string>,
  sender: { person: string; device: string },
): Promise<Outcome> {
  try {
    await request(`/v1/${operation}`, { method: 'POST', body: input, headers });
    return { state: 'sent' };
  } catch (error) {
    return decideOutcome(error, sender);
  }
}

/** What was written is dropped at once; that there was something, its person is told. */
async function end({ key, at, operation, questionId }: Letter, owner: Owner): Promise<void> {
  const message = 'the sign-in under which it was written has ended.';
  const outcome: Outcome = { state: 'refused', code: signInEnded, message };
  const about = questionId === undefined ? {} : { questionId };
  await write('outbox', key, { key, at, operation, ...about, input: {}, owner, outcome } satisfies Letter);
}
