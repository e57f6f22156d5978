// What the pages see of a question or an alert: the text where this browser can read it, or why it cannot. The code that
// opens sealed ones is loaded when there is one.
import { optionWithoutText } from '../../../src/contract/signal/option-without-text.js';
import type { Envelope, SignalAnswer, SignalContent } from '../../../src/contract/signal/signal.js';
import type { AlertView, QuestionView } from '../data/types.js';
import { readDevice } from './identity.js';

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
  /** `changed`: sealed with another key than what came from this sender before. */
  sender?: 'known' | 'changed';
}

export async function openQuestion(view: QuestionView): Promise<Opened> {
  const opened = { ...(await contentOf(view)), ...(await answerOf(view)), ...defaultOf(view) };
  return opened.answer === undefined ? opened : { ...opened, answer: withText(opened.answer, opened.content) };
}

/** Given by number on the command line: the hub could not read what it chose, but this device can. */
function withText(answer: SignalAnswer, content: SignalContent | undefined): SignalAnswer {
  if (answer.option === null || answer.response !== optionWithoutText(answer.option)) return answer;
  return { ...answer, response: content?.options[answer.option - 1] ?? answer.response };
}

export async function openAlert(view: AlertView): Promise<Opened> {
  if (view.message === undefined) return openSealed({ ...view, kind: 'alert' });
  return { content: { text: view.message, options: [], context: view.context ?? null } };
}

async function contentOf(view: QuestionView): Promise<Opened> {
  const { question: text, options = [], context = null, toolCall } = view;
  if (text === undefined) return openSealed(view);
  return { content: { text, options, context, ...(toolCall === undefined ? {} : { toolCall }) } };
}

async function openSealed(view: (AlertView & { kind: 'alert' }) | QuestionView): Promise<Opened> {
  const device = await readDevice();
  if (device === undefined) return { closed: 'no_device' };
  const { openSignal } = await import('./sealing.js');
  const opened = await openSignal(device, view);
  if (opened.isOpen) return { content: opened.content, sender: opened.sender };
  return { closed: opened.why === 'forged' ? 'forged' : 'not_for_this_device' };
}

async function answerOf(view: QuestionView): Promise<Opened> {
  const { option = null, sealedAnswer } = view;
  const response = view.response ?? view.reason;
  if (response !== undefined) return { answer: { option, response } };
  if (sealedAnswer === undefined) return {};
  const device = await readDevice();
  if (device === undefined) return {};
  const { openAnswer, seenReaders } = await import('./sealing.js');
  const answer = await openAnswer(device, view, { sealed: sealedAnswer, devices: await seenReaders() });
  return answer === null ? {} : { answer };
}

function defaultOf({ defaultAnswer }: QuestionView): Opened {
  return defaultAnswer === undefined ? {} : { defaultAnswer: { option: null, response: defaultAnswer } };
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
  const device = view.sealed === undefined ? undefined : await readDevice();
  if (device !== undefined) {
    const sealing = await import('./sealing.js');
    const sealed = await sealing.sealAnswer(device, view, { status, answer });
    if (sealed !== undefined) return { questionId, sealed };
  }
  if (status === 'declined') return { questionId, ...(answer.response === '' ? {} : { reason: answer.response }) };
  return answer.option === null ? { questionId, response: answer.response } : { questionId, option: answer.option };
}

/** The person says that the sender's new key is right. */
export async function acceptKeyOf({ from, encryption, senderKeys }: QuestionView): Promise<void> {
  if (senderKeys === undefined) return;
  const { acceptSender } = await import('./sealing.js');
  await acceptSender({ from, encryption, senderKeys });
}
