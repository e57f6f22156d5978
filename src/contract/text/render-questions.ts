// Questions and their answers as text.
import type { z } from 'zod';
import { numbered, type asked, type QuestionResponse, type QuestionView } from '../question.js';
import { sealedAnswerMark } from '../sealed-answer-mark.js';
import { shortened } from './shortened.js';

type Asked = z.output<typeof asked>;

export function askedText({ questionId, message, warnings = [] }: Asked): string {
  return [`${message}: ${questionId}`, ...warnings].join('\n');
}

export function stepsAfterAsking({ questionId }: Asked): string[] {
  if (questionId.startsWith('a-')) return [];
  return [`Wait with get_response questionId "${questionId}" and waitMs; the answer also comes to your inbox.`];
}

export function responseText(response: QuestionResponse): string {
  const { questionId, status, by, reason, message, sealed } = response;
  const note = message === undefined ? '' : `\n${message}`;
  switch (status) {
    case 'pending':
      return `Question ${questionId} is pending: no answer yet.${note}`;
    case 'answered':
      return `${by ?? 'Someone'} answered question ${questionId}: ${sealed === undefined ? answerOf(response) : sealedAnswerMark(questionId)}${note}`;
    case 'declined':
      return `${by ?? 'Someone'} declined to answer question ${questionId}${sealed === undefined ? because(reason) : `: ${sealedAnswerMark(questionId)}`}.${note}`;
    case 'expired':
      return `Question ${questionId} expired without an answer.${defaultOf(response)}${note}`;
    case 'cancelled':
      return `Question ${questionId} was cancelled${because(reason)}.${note}`;
  }
}

export function stepsAfterResponse({ questionId, status, clampedToMs }: QuestionResponse): string[] {
  if (status !== 'pending') return [];
  const again = `Call get_response with questionId "${questionId}" and waitMs again`;
  return [`${again}${shortened(clampedToMs)}. The answer also comes to your inbox.`];
}

/** The option, the free text, or both. */
export function answerOf({ option, response }: Pick<QuestionResponse, 'option' | 'response'>): string {
  const choice = option === undefined ? [] : [`option ${option}`];
  return [...choice, ...(response === undefined ? [] : [response])].join(', ') || '(not readable)';
}

function because(reason: string | undefined): string {
  return reason === undefined ? '' : `: ${reason}`;
}

function defaultOf(response: QuestionResponse): string {
  if (response.isDefault !== true) return '';
  const given = response.sealed === undefined ? answerOf(response) : sealedAnswerMark(response.questionId);
  return ` The default answer is: ${given}`;
}

export function questionLine(question: QuestionView): string {
  const { id, status, from, to, askedAt, options = [], answeredBy } = question;
  const asks = question.question ?? '(encrypted)';
  const choices = options.length === 0 ? '' : ` [${numbered(options)}]`;
  const ended = answeredBy === undefined ? '' : ` by ${answeredBy}`;
  const answer = question.response === undefined ? '' : `: ${question.response}`;
  return `${id} ${status}${ended} from ${from} to ${to.join(', ')} ${askedAt}: ${asks}${choices}${answer === '' ? '' : ` → ${answer.slice(2)}`}`;
}
