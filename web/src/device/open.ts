// Opens sealed questions and alerts with this device's key, and seals answers.
import type { SignalAnswer, SignalContent } from '../../../src/contract/signal.js';
import type { AlertView, Envelope, QuestionView } from '../data/types.js';

/** Why something cannot be read here. */
export type Closed =
  /** Sealed before this device was paired; another device of the person can share it. */
  | 'not_for_this_device'
  /** This browser is no paired device. */
  | 'no_device'
  /** The signature or the cipher text is wrong. */
  | 'forged';

export interface Opened {
  content?: SignalContent;
  answer?: SignalAnswer;
  defaultAnswer?: SignalAnswer;
  closed?: Closed;
}

export async function openQuestion(view: QuestionView): Promise<Opened> {
  const answer = view.response ?? view.reason;
  return {
    ...(view.question === undefined
      ? { closed: 'no_device' as const }
      : {
          content: {
            text: view.question,
            options: view.options ?? [],
            context: view.context ?? null,
            ...(view.toolCall === undefined ? {} : { toolCall: view.toolCall }),
          },
        }),
    ...(answer === undefined ? {} : { answer: { option: view.option ?? null, response: answer } }),
    ...(view.defaultAnswer === undefined ? {} : { defaultAnswer: { option: null, response: view.defaultAnswer } }),
  };
}

export async function openAlert(view: AlertView): Promise<Opened> {
  if (view.message === undefined) return { closed: 'no_device' };
  return { content: { text: view.message, options: [], context: view.context ?? null } };
}

export type AnswerFields =
  | { questionId: string; option?: number; response?: string; reason?: string }
  | { questionId: string; sealed: Envelope };

/** The input of answer_question or decline_question, in the form that the question's level needs. */
export async function sealAnswer(
  view: QuestionView,
  answer: SignalAnswer,
  status: 'answered' | 'declined',
): Promise<AnswerFields> {
  const questionId = view.id;
  if (status === 'declined') return { questionId, ...(answer.response === '' ? {} : { reason: answer.response }) };
  return answer.option === null ? { questionId, response: answer.response } : { questionId, option: answer.option };
}
