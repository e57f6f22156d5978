// Who may answer a question, and with what. Pure.
import { HubError } from '../contract/errors.js';
import type { AgentKind } from '../contract/agent.js';
import type { SignalAnswer, SignalContent } from '../contract/signal/signal.js';
import { optionWithoutText } from '../contract/signal/option-without-text.js';
import { numbered } from '../contract/signal/question.js';
import type { Caller, NamedCaller } from '../ports/caller.js';
import type { SignalRecord } from '../ports/signal.js';
import { questionUnknown } from './decide-state.js';
import type { EnvelopeHeader } from './envelope/index.js';

/** An agent never answers, whoever it was put to. Admission has refused agents that connect under a person's name. */
export function requirePersonCalls({ agentId, grant }: NamedCaller, kind: AgentKind | undefined): void {
  if (kind === 'human' && (grant === null || grant.isPerson)) return;
  throw new HubError('FORBIDDEN', `'${agentId}' is not a person, and only people answer questions.`, {
    hint: 'A person answers in the app, with `coterie answer`, or over HTTP with a key of their own.',
    details: { agentId },
  });
}

/** Unknown to everyone but its recipients, its asker and admins. */
export function requireRecipient(signal: SignalRecord, { agentId }: NamedCaller): void {
  if (signal.people.includes(agentId)) return;
  throw questionUnknown(signal.id);
}

/**
 * What decides over a tool call needs the signature of a verified device, or a person's key: on this machine an agent could pose
 * as a person, and a sign-in alone could have been stolen.
 */
export function requireMayDecide({ kind }: SignalRecord, { grant }: Caller, isSigned: boolean): void {
  if (kind !== 'permission') return;
  if (grant === null) {
    throw new HubError('FORBIDDEN', 'Only a paired device or a person’s key decides over a tool call.', {
      hint: 'Pair a device with `coterie pair`, and compare its safety number.',
    });
  }
  const { device } = grant;
  if (device?.isVerified === false) {
    throw new HubError('DEVICE_UNVERIFIED', `The device '${device.name}' is not verified yet.`, {
      hint: 'Compare its safety number with the one of `coterie devices list`, then confirm it there.',
      details: { deviceId: device.id },
    });
  }
  if (device !== null && !isSigned) {
    throw new HubError('ENVELOPE_INVALID', 'A device signs what it decides over a tool call.', {
      hint: 'Answer in the app, which seals and signs the answer, or with a key of the person.',
    });
  }
}

export interface GivenAnswer {
  option?: string | number | undefined;
  response?: string | undefined;
}

/** `content` null: the hub cannot read the options, only count them. */
export function decideAnswer(
  { option, response }: GivenAnswer,
  optionCount: number,
  content: SignalContent | null,
): SignalAnswer {
  if (option === undefined) {
    if (response !== undefined) return { option: null, response };
    throw new HubError('INVALID_INPUT', 'An answer needs option or response.', {
      hint: 'Give option (one that was offered), response (free text), or both.',
    });
  }
  const number = numberOf(option, optionCount, content);
  if (number === undefined) throw notOffered(option, optionCount, content);
  return { option: number, response: response ?? content?.options[number - 1] ?? optionWithoutText(number) };
}

function numberOf(option: string | number, optionCount: number, content: SignalContent | null): number | undefined {
  const wanted = String(option).trim().toLowerCase();
  const index = content?.options.findIndex((offered) => offered.trim().toLowerCase() === wanted) ?? -1;
  if (index >= 0) return index + 1;
  return /^\d{1,3}$/.test(wanted) && Number(wanted) >= 1 && Number(wanted) <= optionCount ? Number(wanted) : undefined;
}

function notOffered(option: string | number, optionCount: number, content: SignalContent | null): HubError {
  const options = content?.options ?? [];
  const offered =
    optionCount === 0
      ? 'It has no options'
      : `Offered are ${options.length > 0 ? numbered(options) : `options 1 to ${optionCount}, by number`}`;
  return new HubError('INVALID_INPUT', `option: '${String(option).slice(0, 100)}' was not offered.`, {
    hint: `${offered}; free text goes into response.`,
    details: { field: 'option', optionCount, ...(options.length > 0 ? { options } : {}) },
  });
}

/** Its signed header says to which question and tool call it belongs, and whether it answers or declines. */
export function requireAnswerHeader(
  { id, sessionId, callHash }: SignalRecord,
  status: 'answered' | 'declined',
  header: EnvelopeHeader,
): void {
  const isSame =
    header.use === 'answer' &&
    header.id === id &&
    header.session === sessionId &&
    header.status === status &&
    (header.callHash ?? null) === callHash;
  if (isSame) return;
  throw new HubError('ENVELOPE_INVALID', 'The encrypted answer belongs to another question, state or tool call.', {
    hint: 'Read the question again and answer what it shows.',
    details: { questionId: id },
  });
}
