// Stores questions and alerts with their recipients, and ends a question once, with the news for who asked it.
import { limits } from '../../../contract/limits.js';
import { senderUnknown } from '../../../message/send/route.js';
import {
  idTaken,
  requireFollowable,
  requireRoomForQuestion,
  requireSameQuestion,
} from '../../../signal/decide-asking.js';
import { newsForAsker, newsForThread, type News } from '../../../signal/decide-news.js';
import { decideRecipients } from '../../../signal/decide-recipients.js';
import { asOf, questionUnknown, requirePending } from '../../../signal/decide-state.js';
import type { Appended } from '../../../ports/store.js';
import type { SignalReach, SignalRecord, SignalStore } from '../../../ports/signal.js';
import {
  countPending,
  dueSignals,
  endSignalRow,
  findSignal,
  findSignalWithKey,
  insertSignal,
  peopleOf,
  signalReach,
} from '../../sql/signals.js';
import { keyState } from '../../sql/keys.js';
import { insertPushes } from '../../sql/pushes.js';
import { insertMessage } from '../append-message.js';
import { draftOf } from '../draft.js';
import { meantThread } from '../meant-thread.js';
import { closureOf, isRegistered, requireOpen } from '../sessions.js';
import type { Statements } from '../statements.js';
import type { Steps } from '../steps.js';

export function* signalRecipients(
  tx: Statements,
  { sessionId, to }: Parameters<SignalStore['signalRecipients']>[0],
): Steps<string[]> {
  const everyone = yield* peopleOf(tx, sessionId, limits.groupMembers);
  // The local person of open mode who never came: once there are keys, nobody can speak for it.
  const isLeftOut = (yield* keyState(tx)).hasKeys && everyone.some(({ isUnseen }) => !isUnseen);
  const people = everyone.filter(({ isUnseen }) => !(isLeftOut && isUnseen)).map(({ id }) => id);
  return decideRecipients(to, { people, kinds: yield* tx.agentFacts(sessionId, to ?? []) });
}

export function* addSignal(
  tx: Statements,
  plan: Parameters<SignalStore['addSignal']>[0],
): Steps<{ signal: SignalRecord; duplicate: boolean; reach: SignalReach }> {
  const { sessionId, key, signal } = plan;
  const { id, sender, askedAt } = signal;
  if (key !== null) {
    const first = yield* findSignalWithKey(tx, { sessionId, sender, key: key.key });
    if (first !== undefined) {
      requireSameQuestion(key, first.mac);
      return { signal: first.signal, duplicate: true, reach: yield* signalReach(tx, first.signal) };
    }
  }
  yield* requireOpen(tx, sessionId);
  if (!(yield* isRegistered(tx, sessionId, sender))) throw senderUnknown(sender);
  if (signal.kind !== 'alert') {
    requireRoomForQuestion(sender, yield* countPending(tx, { sessionId, sender, now: askedAt }));
  }
  if (signal.inReplyTo !== null) {
    const earlier = yield* findSignal(tx, { sessionId, id: signal.inReplyTo });
    requireFollowable(signal.inReplyTo, earlier ?? undefined, signal);
  }
  if ((yield* findSignal(tx, { sessionId, id })) !== null) throw idTaken(id);
  const thread =
    signal.threadId === null ? undefined : yield* meantThread(tx, { sessionId, threadId: signal.threadId }, sender);
  const stored = { ...signal, threadId: thread?.id ?? signal.threadId };
  yield* insertSignal(tx, { ...plan, signal: stored });
  yield* insertPushes(tx, stored);
  const status = signal.kind === 'alert' ? ('sent' as const) : ('pending' as const);
  const record = { ...stored, status, answer: null, answeredBy: null, answeredOn: null, endedAt: null };
  return { signal: record, duplicate: false, reach: yield* signalReach(tx, stored) };
}

export function* endSignal(
  tx: Statements,
  { sessionId, id, at, end }: Parameters<SignalStore['endSignal']>[0],
): Steps<{ signal: SignalRecord; appended: Appended[] }> {
  const found = yield* findSignal(tx, { sessionId, id });
  if (found === null || found.kind === 'alert') throw questionUnknown(id);
  requirePending(asOf(found, at));
  const ended: SignalRecord = {
    ...found,
    status: end.status,
    answer: end.answer,
    answeredBy: end.by,
    answeredOn: end.status === 'cancelled' ? null : end.on,
    endedAt: at,
  };
  if (!(yield* endSignalRow(tx, ended))) throw new Error('a pending question was not pending in its own transaction');
  return { signal: ended, appended: yield* tell(tx, ended, at) };
}

export function* expireSignals(
  tx: Statements,
  { sessionId, now }: Parameters<SignalStore['expireSignals']>[0],
): Steps<{ expired: number; appended: Appended[]; hasMore: boolean }> {
  const { signals, hasMore } = yield* dueSignals(tx, { sessionId, now });
  const appended: Appended[] = [];
  let expired = 0;
  for (const signal of signals) {
    if (!(yield* endSignalRow(tx, signal))) continue;
    expired += 1;
    appended.push(...(yield* tell(tx, signal, now)));
  }
  return { expired, appended, hasMore };
}

/** Nobody is told in a closed session, and an agent that is gone has no inbox. */
function* tell(tx: Statements, signal: SignalRecord, at: number): Steps<Appended[]> {
  const { sessionId, sender, threadId } = signal;
  if ((yield* closureOf(tx, sessionId)) !== null || !(yield* isRegistered(tx, sessionId, sender))) return [];
  const thread = threadId === null ? undefined : yield* tx.findThread(sessionId, threadId);
  const news = [newsForAsker(signal, at), newsForThread(signal, thread, at)];
  const appended: Appended[] = [];
  for (const each of news) if (each !== null) appended.push(yield* write(tx, each));
  return appended;
}

/** A full inbox gets a dead letter: get_response has the answer. */
function* write(tx: Statements, { plan, route }: News): Steps<Appended> {
  const { sessionId } = plan;
  const sender = (yield* tx.agentFacts(sessionId, [plan.sender])).get(plan.sender);
  const waking = route.recipients.flatMap(({ id, isWaking }) => (isWaking ? [id] : []));
  const undelivered = waking.length === 0 ? waking : yield* tx.fullInboxes(sessionId, waking);
  return yield* insertMessage(tx, {
    ...draftOf(plan, { route, author: { sender, replyTo: null, hops: 0 } }),
    undelivered,
  });
}

export function* agentNames(
  tx: Statements,
  { sessionId, ids }: Parameters<SignalStore['agentNames']>[0],
): Steps<Record<string, string>> {
  const facts = yield* tx.agentFacts(sessionId, ids);
  return Object.fromEntries([...facts].map(([id, { name }]) => [id, name]));
}
