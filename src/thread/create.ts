// create_thread: stores the thread, its members and its first message in one transaction.
import type { createThread as contract } from '../contract/operations/create-thread.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import { isAdmin, type NamedCaller } from '../ports/caller.js';
import type { Clock } from '../ports/clock.js';
import type { Ids } from '../ports/ids.js';
import type { Appended, CriticalTerms, IdempotencyKey, SendPlan, Store, ThreadCreated } from '../ports/store.js';
import { viewThread } from './view.js';

type Draft = InputOf<typeof contract>;

export interface CreateThreadPorts {
  store: Pick<Store, 'createThread'>;
  clock: Clock;
  ids: Ids;
  /** From message/: plans the first message, derives idempotency keys, wakes readers. */
  planOpening: (caller: NamedCaller, content: NonNullable<Draft['initialMessage']>, now: number) => SendPlan;
  keyOf: (key: string, request: unknown, now: number) => IdempotencyKey;
  announce: (sessionId: string, appended: readonly Appended[]) => void;
}

export async function createThread(
  ports: CreateThreadPorts,
  caller: NamedCaller,
  draft: Draft,
): Promise<OutputOf<typeof contract>> {
  return viewCreated(await storeThread(ports, caller, { draft, critical: null }));
}

/** Stores everything in one transaction, then wakes the members. */
export async function storeThread(
  ports: CreateThreadPorts,
  caller: NamedCaller,
  { draft, critical }: { draft: Draft; critical: (CriticalTerms & { timeoutMs: number }) | null },
): Promise<ThreadCreated> {
  const at = ports.clock.now();
  const created = await ports.store.createThread({
    sessionId: caller.sessionId,
    threadId: ports.ids.threadId(),
    title: draft.title,
    creator: caller.agentId,
    isAdmin: isAdmin(caller),
    participants: draft.participants,
    isPrivate: draft.private,
    critical: critical === null ? null : { ...critical, deadline: at + critical.timeoutMs },
    opening: draft.initialMessage === undefined ? null : ports.planOpening(caller, draft.initialMessage, at),
    at,
    key: draft.idempotencyKey === undefined ? null : ports.keyOf(draft.idempotencyKey, draft, at),
  });
  const { opening, notices, duplicate } = created;
  if (!duplicate) ports.announce(caller.sessionId, [...notices, ...(opening === null ? [] : [opening])]);
  return created;
}

export function viewCreated(created: ThreadCreated): OutputOf<typeof contract> {
  const { thread, unknownParticipants, opening, duplicate } = created;
  return {
    success: true,
    ...viewThread(thread),
    unknownParticipants,
    ...(opening === null ? {} : { messageId: opening.id }),
    ...(duplicate ? { duplicate } : {}),
  };
}
