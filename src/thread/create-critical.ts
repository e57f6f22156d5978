// create_critical_thread: opens a thread whose members must answer, and waits for their responses.
import type { ModelReader } from '../contract/budget/model-reader.js';
import type { createCriticalThread as contract } from '../contract/operations/create-critical-thread.js';
import type { waitForResponses } from '../contract/operations/wait-for-responses.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import type { NamedCaller } from '../ports/caller.js';
import type { ReplyOutcome } from '../ports/reply-outcome.js';
import type { CriticalTerms, ThreadCreated } from '../ports/store.js';
import { storeThread, viewCreated, type CreateThreadPorts } from './create.js';
import { decideStanding } from './decide-critical.js';
import { viewThreadFor } from './view.js';

type Draft = InputOf<typeof contract>;

interface Awaited {
  threadId: string;
  wanted: number | null;
  required: string[] | null;
  waitMs: number;
  ack: 'auto';
}

interface Answer {
  output: OutputOf<typeof waitForResponses>;
  replyOutcome?: ReplyOutcome;
  unread?: number;
}

export interface CreateCriticalPorts<Context> extends CreateThreadPorts {
  /** From message/: a place among the parked waits, and the wait itself. */
  reserveWait: (caller: NamedCaller) => () => void;
  awaitResponses: (caller: NamedCaller, awaited: Awaited, context: Context) => Promise<Answer>;
}

/** Limits of the calling client, from the transport. */
interface CallLimits {
  waitMsMax?: number | undefined;
  model?: ModelReader | undefined;
}

type Output = OutputOf<typeof contract>;

export async function createCriticalThread<Context extends CallLimits>(
  ports: CreateCriticalPorts<Context>,
  caller: NamedCaller,
  { draft, context }: { draft: Draft; context: Context },
): Promise<{ output: Output; replyOutcome?: ReplyOutcome; unread?: number }> {
  // A caller that may not wait opens the thread and continues with wait_for_responses.
  const mayWait = context.waitMsMax === undefined || context.waitMsMax > 0;
  if (draft.waitForResponses === 0 || !mayWait) {
    const created = await open(ports, caller, draft);
    const clamped = draft.waitForResponses === 0 || draft.timeoutMs === 0 ? {} : { clampedToMs: 0 };
    return { output: { ...viewOpened(created, context.model), ...unanswered(caller, created, draft), ...clamped } };
  }
  // Before anything is stored: without a place the thread is not created either.
  const freePlace = ports.reserveWait(caller);
  try {
    const created = await open(ports, caller, draft);
    const { thread } = created;
    // The timeout counts from the opening, also when a retry finds the thread already created.
    const waitMs = Math.max(0, thread.createdAt + draft.timeoutMs - ports.clock.now());
    const awaited: Awaited = { threadId: thread.id, wanted: null, required: null, waitMs, ack: 'auto' };
    const { output, ...rest } = await ports.awaitResponses(caller, awaited, context);
    return { output: { ...viewOpened(created, context.model), ...output }, ...rest };
  } finally {
    freePlace();
  }
}

function open(ports: CreateThreadPorts, caller: NamedCaller, draft: Draft): Promise<ThreadCreated> {
  return storeThread(ports, caller, { draft, critical: { ...termsOf(draft), timeoutMs: draft.timeoutMs } });
}

function termsOf({ waitForResponses: wanted, required = [] }: Draft): CriticalTerms {
  return { wanted, required: [...new Set(required)] };
}

function viewOpened(created: ThreadCreated, model: ModelReader | undefined) {
  const { participants, moreParticipants } = viewThreadFor(created.thread, model);
  const more = moreParticipants === undefined ? {} : { moreParticipants };
  return { ...viewCreated(created), participants, ...more, messageId: created.opening?.id ?? '' };
}

function unanswered({ agentId }: NamedCaller, { thread }: ThreadCreated, draft: Draft) {
  const { members, status } = thread;
  const terms = termsOf(draft);
  const { wanted, required } = terms;
  const eligible = members.filter((id) => id !== agentId);
  const { complete, missing } = decideStanding(terms, { opener: agentId, eligible, members }, { status, answered: [] });
  return {
    threadId: thread.id,
    responses: [],
    complete,
    missing,
    wanted,
    ...(required.length === 0 ? {} : { required }),
    timedOut: false,
    waitedMs: 0,
    cursor: null,
  };
}
