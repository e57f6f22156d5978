// Questions and their answers as text.
import type { z } from 'zod';
import { optionWithoutText } from '../signal/option-without-text.js';
import { numbered, type asked, type QuestionResponse, type QuestionView } from '../signal/question.js';
import { sealedAnswerMark } from '../signal/sealed-answer-mark.js';
import { shortened } from './shortened.js';
import { inLine, inLines } from './in-line.js';

type Asked = z.output<typeof asked>;

export function askedText({ questionId, message, warnings = [] }: Asked): string {
  return [`${message} (${questionId}).`, ...warnings].map(inLine).join('\n');
}

export function stepsAfterAsking({ questionId }: Asked): string[] {
  if (questionId.startsWith('a-')) return [];
  return [`Wait with get_response questionId "${questionId}" and waitMs; the answer also comes to your inbox.`];
}

/** Each state in words that cannot be taken for another: silence is never a no. */
export function responseText(response: QuestionResponse): string {
  const { status, expiresAt, message } = response;
  const [questionId, by] = [inLine(response.questionId), inLine(response.by ?? 'Someone')];
  const note = message === undefined ? '' : `\n${inLine(message)}`;
  switch (status) {
    case 'pending':
      return `Question ${questionId} is pending: no answer yet${expiresAt === undefined ? '' : `; it expires at ${inLine(expiresAt)}`}.${note}`;
    case 'answered':
      return `${by} answered question ${questionId}${answerIn(response)}${note}`;
    case 'declined':
      return `${by} declined to answer question ${questionId}${reasonIn(response)}${note}`;
    case 'expired':
      return `Question ${questionId} expired without an answer, which is neither a yes nor a no.${defaultIn(response)}${note}`;
    case 'cancelled':
      return `Question ${questionId} was cancelled by ${by}${reasonIn(response)}${note}`;
  }
}

export function stepsAfterResponse({ questionId, status, readable, clampedToMs }: QuestionResponse): string[] {
  if (status !== 'pending' || readable === false) return [];
  const again = `Call get_response with questionId "${questionId}" and waitMs again`;
  return [`${again}${shortened(clampedToMs)}. The answer also comes to your inbox.`];
}

/** The option, the free text, or both. */
export function answerOf({ option, response }: Pick<QuestionResponse, 'option' | 'response'>): string {
  const isNamed = option === undefined || response === optionWithoutText(option);
  return [...(isNamed ? [] : [`option ${option}`]), ...(response === undefined ? [] : [response])].join(', ');
}

function answerIn(response: QuestionResponse): string {
  const given = response.sealed === undefined ? answerOf(response) : sealedAnswerMark(response.questionId);
  return given === '' ? ', but the answer cannot be read.' : `: ${inLines(given)}`;
}

function reasonIn({ questionId, reason, sealed, readable }: QuestionResponse): string {
  if (sealed !== undefined) return `: ${inLine(sealedAnswerMark(questionId))}`;
  if (reason !== undefined) return `: ${inLines(reason)}`;
  return readable === false ? '; the reason cannot be read.' : ', without a reason.';
}

function defaultIn(response: QuestionResponse): string {
  if (response.isDefault !== true) return '';
  const given = response.sealed === undefined ? answerOf(response) : sealedAnswerMark(response.questionId);
  return given === ''
    ? ' Its default answer cannot be read.'
    : ` The default answer that you set applies: ${inLines(given)}`;
}

export function questionLine(question: QuestionView): string {
  const { id, status, from, to, askedAt, options = [], answeredBy } = question;
  const asks = question.question ?? '(encrypted)';
  const choices = options.length === 0 ? '' : ` [${numbered(options)}]`;
  const ended = answeredBy === undefined ? '' : ` by ${answeredBy}`;
  const answer = question.response === undefined ? '' : `: ${question.response}`;
  return inLine(
    `${id} ${status}${ended} from ${from} to ${to.join(', ')} ${askedAt}: ${asks}${choices}${answer === '' ? '' : ` → ${answer.slice(2)}`}`,
  );
}
