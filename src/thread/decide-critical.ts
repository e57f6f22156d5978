// Whose answers a critical thread counts, and when the wait for them ends. Pure: the store calls it in its transaction.
import { HubError } from '../contract/errors.js';
import type { CriticalStanding, CriticalTerms, ResponsesRequest, ThreadRecord } from '../ports/store.js';
import { firstVisibleSeq } from './visibility.js';

export interface CriticalThread extends CriticalTerms {
  opener: string;
  opening: number;
  eligible: string[];
  deadline: number;
}

export interface FirstAnswer {
  agentId: string;
  seq: number;
  at: number;
}

export interface Responders {
  /** The author of the opening, who is not a responder. */
  opener: string;
  /** Members at the opening, except the opener. */
  eligible: readonly string[];
  /** Members now. */
  members: readonly string[];
}

/** Refuses terms that no set of answers could meet. */
export function requireAchievable(
  { wanted, required }: CriticalTerms,
  { opener, eligible, members }: Responders,
): void {
  const strangers = required.filter((id) => id === opener || !(eligible.includes(id) || members.includes(id)));
  if (strangers.length > 0) {
    throw new HubError('INVALID_INPUT', `required: not participants who can answer: ${strangers.join(', ')}.`, {
      hint: 'Name registered participants other than the creator, or leave required out.',
      details: { field: 'required', strangers },
    });
  }
  const most = new Set([...eligible, ...required]).size;
  if (wanted <= most) return;
  throw new HubError(
    'INVALID_INPUT',
    `wait_for_responses: ${wanted} responses wanted, but only ${most} agents can answer.`,
    {
      hint: `Give at most ${most}, or more registered participants; list_agents has the ids.`,
      details: { field: 'wait_for_responses', eligible: [...eligible] },
    },
  );
}

/** All members of the new thread except its creator. */
export function decideResponders<Terms extends CriticalTerms>(
  terms: Terms,
  creator: string,
  members: readonly string[],
): Terms & { eligible: string[] } {
  const eligible = members.filter((id) => id !== creator);
  requireAchievable(terms, { opener: creator, eligible, members });
  return { ...terms, eligible };
}

/**
 * One answer counts per responder. A member who left without an answer no longer counts; an answer given before leaving
 * stays. Members who joined after the opening count only when required.
 */
export function decideStanding(
  { wanted, required }: CriticalTerms,
  { opener, eligible, members }: Responders,
  { status, answered }: { status: ThreadRecord['status']; answered: readonly string[] },
): CriticalStanding {
  const mayCount = new Set([...eligible, ...required]);
  mayCount.delete(opener);
  const counted = answered.filter((id) => mayCount.has(id));
  const hasAnswered = new Set(counted);
  const isHere = new Set(members);
  const isOpen = (id: string) => !hasAnswered.has(id);
  const requiredOpen = required.filter(isOpen);
  const couldStill = [...mayCount].filter((id) => isOpen(id) && isHere.has(id));
  const complete = counted.length >= wanted && requiredOpen.length === 0;
  const isImpossible = counted.length + couldStill.length < wanted || requiredOpen.some((id) => !isHere.has(id));
  return {
    counted,
    complete,
    missing: requiredOpen.length > 0 ? requiredOpen : couldStill,
    reason: complete ? null : status === 'closed' ? 'closed' : isImpossible ? 'impossible' : null,
  };
}

/** Whether the opener still waits for the answer of this agent. */
export function isAwaited(
  agentId: string,
  critical: CriticalThread,
  { status, members, answered }: Pick<ThreadRecord, 'status' | 'members'> & { answered: readonly string[] },
): boolean {
  const { opener, eligible, required } = critical;
  const mayAnswer = agentId !== opener && members.includes(agentId) && [...eligible, ...required].includes(agentId);
  if (!mayAnswer || answered.includes(agentId)) return false;
  const { complete, reason } = decideStanding(critical, { opener, eligible, members }, { status, answered });
  return !complete && reason === null;
}

/** A thread opened without waiting has no count: a later wait then waits for at least one answer. */
export function termsOf({ wanted, required }: ResponsesRequest, critical: CriticalThread): CriticalTerms {
  const names = required ?? critical.required;
  return { wanted: wanted ?? (critical.wanted === 0 && names.length === 0 ? 1 : critical.wanted), required: names };
}

/** A later owner of the thread is shown only the answers it may read. */
export function answersShown(
  answers: readonly FirstAnswer[],
  { thread, reader, standing }: { thread: ThreadRecord; reader: string; standing: CriticalStanding },
): FirstAnswer[] {
  const counts = new Set(standing.counted);
  const from = firstVisibleSeq(thread, reader);
  return answers.filter(({ agentId, seq }) => counts.has(agentId) && seq >= from);
}

/** Only the thread's owner or an admin may wait for its answers. */
export function requireMayWait(thread: ThreadRecord, reader: string, isAdmin: boolean): void {
  if (isAdmin || thread.creator === reader) return;
  throw new HubError(
    'FORBIDDEN',
    `Only its creator, ${thread.creator}, may wait for the responses in '${thread.id}'.`,
    {
      hint: 'Read it with get_thread, or wait_for_mentions with this threadId.',
      details: { threadId: thread.id },
    },
  );
}

export function notCritical(threadId: string): HubError {
  return new HubError('INVALID_INPUT', `threadId: '${threadId}' is not a critical thread.`, {
    hint: 'Open one with create_critical_thread, or call wait_for_mentions with this threadId.',
    details: { field: 'threadId', threadId },
  });
}
