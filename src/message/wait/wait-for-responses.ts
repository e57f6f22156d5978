// wait_for_responses: responses are counted from the store, so a restart or a lost answer changes nothing.
import { auditRead } from '../../access/audit-read.js';
import type { ModelReader } from '../../contract/budget/model-reader.js';
import { HubError } from '../../contract/errors.js';
import { limits } from '../../contract/limits.js';
import type { Message } from '../../contract/message.js';
import type { waitForResponses as contract } from '../../contract/operations/wait-for-responses.js';
import type { InputOf, OutputOf } from '../../contract/operation.js';
import type { EndReason } from '../../contract/text/responses.js';
import { isAdmin, type NamedCaller } from '../../ports/caller.js';
import type { ReplyOutcome } from '../../ports/reply-outcome.js';
import type { CriticalTerms, Responses, TakenResponse } from '../../ports/store.js';
import { fitNames, fitResponses, responsesShownTo } from './fit-responses.js';
import { leaseCursor } from '../inbox/hand-out.js';
import { automaticLeaseMs } from '../inbox/lease.js';
import { readUntilFound, type WaitContext } from './read-until.js';
import { outcomeOf } from '../inbox/take-copies.js';
import { viewMessage } from '../inbox/view.js';
import type { WaitPorts } from './wait.js';
import { WakeSignal } from './wake-signal.js';

export interface ResponsesPorts extends WaitPorts {
  /** Calls back when the thread gets a message or changes; the returned function unsubscribes. */
  onThread: (sessionId: string, threadId: string, callback: () => void) => () => void;
}

export interface Awaited {
  threadId: string;
  /** Null: as set at the opening. */
  wanted: number | null;
  required: string[] | null;
  waitMs: number;
  ack: 'auto' | 'manual';
  /** It may be refused with BUSY: nothing was done for it before. */
  mayBeBusy?: boolean;
}

export interface ResponsesAnswer {
  output: OutputOf<typeof contract>;
  replyOutcome?: ReplyOutcome;
  unread?: number;
}

export async function waitForResponses(
  ports: ResponsesPorts,
  caller: NamedCaller,
  { input, context }: { input: InputOf<typeof contract>; context: WaitContext },
): Promise<ResponsesAnswer> {
  const { threadId, waitForResponses: wanted = null, timeoutMs: waitMs, ack } = input;
  const required = input.required === undefined ? null : [...new Set(input.required)];
  const freePlace = ports.reserveWait(caller);
  try {
    const awaited = { threadId, wanted, required, waitMs, ack, mayBeBusy: true };
    return await awaitResponses(ports, caller, { awaited, context });
  } finally {
    freePlace();
  }
}

type Taken = Responses & { taken: NonNullable<Responses['taken']> };

export async function awaitResponses(
  ports: ResponsesPorts,
  caller: NamedCaller,
  { awaited, context }: { awaited: Awaited; context: WaitContext },
): Promise<ResponsesAnswer> {
  const { clock } = ports;
  const startedAt = clock.monotonic();
  const waitMs = Math.min(awaited.waitMs, context.waitMsMax ?? awaited.waitMs);
  const deadline = startedAt + waitMs;
  const token = ports.ids.leaseToken();
  const signal = new WakeSignal();
  const listenTo = (id: string) => {
    const stopListening = ports.onThread(caller.sessionId, id, () => signal.signal());
    const endNote = ports.parked.noteForResponses(caller.sessionId, caller.agentId, id);
    return () => {
      stopListening();
      endNote();
    };
  };
  let { threadId } = awaited;
  let unsubscribe = listenTo(threadId);
  const progress = progressFor(context);
  let found: Taken | undefined;
  try {
    found = await readUntilFound<Taken>(ports, {
      sessionId: caller.sessionId,
      signal,
      deadline,
      context,
      async read(isLast) {
        const read = { ...awaited, threadId, token, isLast, responsesMax: responsesShownTo(context.model) };
        const giveBack = awaited.mayBeBusy ? await context.client.answer?.take(caller, limits.pageBytes) : undefined;
        const responses = await ports.store.takeResponses(requestOf(ports, caller, read));
        if (responses.taken === null) giveBack?.();
        if (responses.taken !== null) return { ...responses, taken: responses.taken };
        if (responses.thread.id !== threadId) {
          // It was given by its title. What came before this listener is found by reading again.
          unsubscribe();
          threadId = responses.thread.id;
          unsubscribe = listenTo(threadId);
          signal.signal();
        }
        progress.update(responses);
        return undefined;
      },
      progressText: () => progress.text(),
    });
  } finally {
    unsubscribe();
  }
  if (found === undefined) throw new Error('the last read takes what there is');
  const isInTime = clock.monotonic() < deadline;
  if (isTimedOutUnanswered(found, clock.now()) && !isInTime) throw noResponses(found);
  if (!found.thread.members.includes(caller.agentId)) {
    const details = { messages: found.taken.responses.length };
    await auditRead(ports, caller, { act: 'wait_for_responses', target: found.thread.id, details });
  }
  return answerOf(ports, caller, {
    found,
    token,
    ack: awaited.ack,
    isInTime,
    waitedMs: clock.monotonic() - startedAt,
    clampedToMs: waitMs < awaited.waitMs ? waitMs : undefined,
    model: context.model,
  });
}

interface ResponsesRead extends Awaited {
  token: string;
  isLast: boolean;
  responsesMax: number | null;
}

function requestOf(
  { clock, manualLeaseMs }: ResponsesPorts,
  caller: NamedCaller,
  { threadId, wanted, required, ack, token, isLast, responsesMax }: ResponsesRead,
): Parameters<ResponsesPorts['store']['takeResponses']>[0] {
  const isManual = ack === 'manual';
  return {
    sessionId: caller.sessionId,
    threadId,
    reader: caller.agentId,
    isAdmin: isAdmin(caller),
    wanted,
    required,
    token,
    isLast,
    responsesMax,
    isManual,
    now: clock.now(),
    monotonicNow: clock.monotonic(),
    leaseMs: isManual ? manualLeaseMs : automaticLeaseMs,
  };
}

/** The timeout since the opening has passed, over all calls, without any answer. */
function isTimedOutUnanswered({ standing, deadline }: Taken, now: number): boolean {
  const isStillAwaited = !standing.complete && standing.reason === null;
  return isStillAwaited && standing.counted.length === 0 && now >= deadline;
}

function noResponses({ thread, openingId, terms, standing, deadline }: Responses): HubError {
  return new HubError('NO_RESPONSES', `Waiting for ${neededOf(terms)} responses timed out`, {
    hint:
      `The thread stays open: call wait_for_responses with threadId '${thread.id}' to continue waiting, ` +
      'or close_thread to end it.',
    details: {
      threadId: thread.id,
      title: thread.title,
      status: thread.status,
      participants: thread.members,
      messageId: openingId,
      wanted: terms.wanted,
      required: terms.required,
      missing: standing.missing,
      deadline: new Date(deadline).toISOString(),
    },
  });
}

function neededOf({ wanted, required }: CriticalTerms): number {
  return Math.max(wanted, required.length);
}

interface Ending {
  found: Taken;
  token: string;
  ack: 'auto' | 'manual';
  waitedMs: number;
  /** It ended before the deadline: complete, impossible to complete, or because the hub stops. */
  isInTime: boolean;
  clampedToMs: number | undefined;
  model: ModelReader | undefined;
}

function answerOf(
  ports: ResponsesPorts,
  { sessionId, agentId }: NamedCaller,
  { found, token, ack, waitedMs, isInTime, clampedToMs, model }: Ending,
): ResponsesAnswer {
  const { thread, terms, standing, taken } = found;
  const { responses, unread } = taken;
  const keys = responses.flatMap(({ copy }) => (copy === null ? [] : [copy.key]));
  const lease = { sessionId, agentId, token, keys };
  const isStopped = !standing.complete && standing.reason === null && isInTime;
  // With nothing to show, a stopping hub answers with a timeout: the caller retries at another hub or after the restart.
  const reason: EndReason | null = standing.reason ?? (isStopped && responses.length > 0 ? 'stopping' : null);
  const missing = fitNames(standing.missing, model);
  const output = {
    threadId: thread.id,
    responses: fitResponses(
      responses.map((response) => viewResponse(response, agentId)),
      model,
    ),
    complete: standing.complete,
    missing,
    wanted: terms.wanted,
    ...(terms.required.length === 0 ? {} : { required: fitNames(terms.required, model) }),
    ...leftOutOf({
      responses: standing.counted.length - responses.length,
      missing: standing.missing.length - missing.length,
    }),
    ...(reason === null ? {} : { reason }),
    timedOut: !standing.complete && reason === null,
    waitedMs: Math.round(waitedMs),
    ...(clampedToMs === undefined ? {} : { clampedToMs }),
    cursor: leaseCursor(lease),
  };
  return { output, ...(keys.length === 0 ? {} : { replyOutcome: outcomeOf(ports, lease, ack) }), unread };
}

/** Responses left out stay unread in the inbox; get_thread shows them, too. */
function leftOutOf(counts: Record<string, number>): { leftOut?: Record<string, number> } {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.length === 0 ? {} : { leftOut: Object.fromEntries(some) };
}

function viewResponse({ message, copy, redelivered }: TakenResponse, reader: string): Message {
  return {
    ...viewMessage(message, reader),
    ...(copy === null ? {} : { why: copy.why }),
    ...(redelivered ? { redelivered: true } : {}),
  };
}

/** Reports to a client that asked for progress who has answered, whenever a new answer counts. */
function progressFor({ progress }: WaitContext): { update(responses: Responses): void; text(): string } {
  let reported = 0;
  let text = 'waiting for responses';
  return {
    text: () => text,
    update({ standing: { counted }, terms }) {
      const names = counted.length === 0 ? '' : `: ${counted.join(', ')}`;
      text = `${counted.length} of ${neededOf(terms)} answered${names}`;
      if (counted.length > reported) progress?.(text);
      reported = counted.length;
    },
  };
}
