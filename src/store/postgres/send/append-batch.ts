// Appends many messages in one round trip. They are routed beforehand with the cached facts of this hub; the database
// accepts them only if these are still current.
import { HubError } from '../../../contract/errors.js';
import { requireSameRequest } from '../../../message/send/decide-retry.js';
import type { AppendResult } from '../../../ports/store.js';
import { appendedAs, draftOf } from '../../rules/draft.js';
import { turnOf } from '../../rules/route-send.js';
import { leaseForWaits, type Claim, type LeasedForWait } from '../inbox/hand-over.js';
import { columnsOf, noSlot, slotsOf, type Slots } from './batch-columns.js';
import type { Planned } from './plan-batch.js';
import { noteTurn } from './turns.js';
import { unpackAnswer } from './send-answer.js';
import type { Tx } from '../connection/transaction.js';

/** stale: planned with a stale version, or beyond the known room. held back: the batch has a retried send of its session. */
export type AppendOutcome = AppendResult | HubError | 'stale' | 'held back';

/** The answer of `append_messages`. */
interface Stored {
  /** The seq before the first message of each session; null if nothing was stored there. */
  bases: (number | null)[];
  /** Sends whose key was used before. */
  known: { place: number; number: number; seq: number | null; hash: string; result: string }[] | null;
  unread: number[];
}

export interface AppendedBatch {
  /** One per send. */
  outcomes: AppendOutcome[];
  /** For the waits of the claim. */
  leased: LeasedForWait[];
}

export async function appendBatch(tx: Tx, batch: readonly Planned[], claim?: Claim): Promise<AppendedBatch> {
  const slots = slotsOf(batch);
  const columns = columnsOf(batch, slots);
  // By name, so that no two columns can be swapped.
  const named = Object.keys(columns).map((name) => `${name} => ?`);
  const append = `select append_messages(batch => ?, by_hub_time => ?, ${named.join(', ')}) as stored`;
  const values = [tx.origin, tx.usesHubTime, ...Object.values(columns)];
  const leasing = claim === undefined ? undefined : leaseForWaits(tx, claim);
  const answer = await tx.get<{ stored: Stored; leased?: LeasedForWait[] }>(
    // `offset 0`: the copies are stored before they are leased
    leasing === undefined ? append : `select b.stored, ${leasing.sql} as leased from (${append} offset 0) b`,
    leasing === undefined ? values : [...leasing.values, ...values],
  );
  if (answer === undefined) throw new Error('a batch is always answered');
  return { outcomes: outcomesOf(tx, { batch, slots, stored: answer.stored }), leased: answer.leased ?? [] };
}

function outcomesOf(
  tx: Tx,
  { batch, slots, stored }: { batch: readonly Planned[]; slots: Slots; stored: Stored },
): AppendOutcome[] {
  const { bases, known, unread } = stored;
  const sentBefore = new Map(known?.map((before) => [`${before.place} ${before.number}`, before]));
  const sessionsHeldBack = new Set(known?.map(({ place }) => place));
  return batch.map((planned, index) => {
    const { session, number, inbox } = slots.messages[index] ?? noSlot;
    const before = sentBefore.get(`${session} ${number}`);
    if (before !== undefined) return answerAgain(planned, before, unread[inbox] ?? 0);
    const base = bases[session - 1] ?? null;
    if (base === null) return sessionsHeldBack.has(session) ? 'held back' : 'stale';
    return { appended: appendedWith(tx, planned, base + number), senderUnread: unreadOf(planned, unread[inbox] ?? 0) };
  });
}

/** The first result again, if the request is the same. */
function answerAgain(
  { plan, session }: Planned,
  before: NonNullable<Stored['known']>[number],
  unread: number,
): AppendResult | HubError {
  try {
    if (plan.key !== null) requireSameRequest(plan.key, before.hash);
    const identity = { seq: before.seq ?? 0, salt: session.salt, sender: plan.sender };
    return { appended: unpackAnswer(before.result, identity), senderUnread: unread };
  } catch (error) {
    if (error instanceof HubError) return error;
    throw error;
  }
}

/** `unread` was counted before the batch, so copies to the sender itself are added. */
function unreadOf({ plan, routed: { route } }: Planned, unread: number): number {
  return unread + route.recipients.filter(({ id, isWaking }) => isWaking && id === plan.sender).length;
}

/** The result of a send that was stored with this seq. */
export function appendedWith(tx: Tx, { plan, routed, session }: Planned, seq: number) {
  if (routed.turnWith !== undefined) noteTurn(tx, turnOf(plan, routed.turnWith, seq));
  tx.hubMemory.noteSeq(plan.sessionId, seq);
  return appendedAs(draftOf(plan, routed), seq, session.salt);
}
