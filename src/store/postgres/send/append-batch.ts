// Appends many messages in one round trip. Who receives them was found beforehand, by what this hub remembers; the
// database takes them only if that is still true.
import { HubError } from '../../../contract/errors.js';
import { requireSameRequest } from '../../../message/send/decide-retry.js';
import type { AppendResult } from '../../../ports/store.js';
import { appendedAs, draftOf } from '../../rules/draft.js';
import { turnOf } from '../../rules/route-send.js';
import { columnsOf, nowhere, placesOf } from './batch-columns.js';
import type { Planned } from './plan-batch.js';
import { noteTurn } from './turns.js';
import { unpackAnswer } from './send-answer.js';
import type { Tx } from '../connection/transaction.js';

/** stale: its session had changed, or moved past the room. held back: another of its session was sent before. */
export type AppendOutcome = AppendResult | HubError | 'stale' | 'held back';

/** What the database says of a batch. */
interface Stored {
  /** The seq before each session's first message; null where nothing of it was written. */
  bases: (number | null)[];
  /** Those that were sent before under the same key. */
  known: { place: number; number: number; seq: number | null; hash: string; result: string }[] | null;
  unread: number[];
}

/** One outcome for each. */
export async function appendBatch(tx: Tx, batch: readonly Planned[]): Promise<AppendOutcome[]> {
  const places = placesOf(batch);
  const columns = columnsOf(batch, places);
  // By name, so that no two columns can be swapped.
  const named = Object.keys(columns).map((name) => `${name} => ?`);
  const answer = await tx.get<{ stored: Stored }>(
    `select append_messages(batch => ?, by_hub_time => ?, ${named.join(', ')}) as stored`,
    [tx.origin, tx.usesHubTime, ...Object.values(columns)],
  );
  if (answer === undefined) throw new Error('a batch is always answered');
  const { bases, known, unread } = answer.stored;
  const sentBefore = new Map(known?.map((before) => [`${before.place} ${before.number}`, before]));
  const sessionsHeldBack = new Set(known?.map(({ place }) => place));
  return batch.map((planned, index) => {
    const { place, number, inbox } = places.ofMessages[index] ?? nowhere;
    const before = sentBefore.get(`${place} ${number}`);
    if (before !== undefined) return answerAgain(planned, before, unread[inbox] ?? 0);
    const base = bases[place - 1] ?? null;
    if (base === null) return sessionsHeldBack.has(place) ? 'held back' : 'stale';
    return { appended: appendedWith(tx, planned, base + number), senderUnread: unreadOf(planned, unread[inbox] ?? 0) };
  });
}

/** The first answer once more, if it was the same request. */
function answerAgain(
  { plan, session }: Planned,
  before: NonNullable<Stored['known']>[number],
  unread: number,
): AppendResult | HubError {
  try {
    if (plan.key !== null) requireSameRequest(plan.key, before.hash);
    const place = { seq: before.seq ?? 0, salt: session.salt, sender: plan.sender };
    return { appended: unpackAnswer(before.result, place), senderUnread: unread };
  } catch (error) {
    if (error instanceof HubError) return error;
    throw error;
  }
}

/** Counted before the batch: what one sends to oneself comes on top. */
function unreadOf({ plan, routed: { route } }: Planned, unread: number): number {
  return unread + route.recipients.filter(({ id, isWaking }) => isWaking && id === plan.sender).length;
}

/** Stored under this seq. */
export function appendedWith(tx: Tx, { plan, routed, session }: Planned, seq: number) {
  if (routed.turnWith !== undefined) noteTurn(tx, turnOf(plan, routed.turnWith, seq));
  tx.hubMemory.sawSeq(plan.sessionId, seq);
  return appendedAs(draftOf(plan, routed), seq, session.salt);
}
