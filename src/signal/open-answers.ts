// The messages that tell an asker of a question's end, with the answer: opened here, or sealed for the asker's program.
import { tokensAtMost } from '../contract/budget/tokens.js';
import type { ModelReader } from '../contract/budget/model-reader.js';
import { HubError } from '../contract/errors.js';
import { systemAgentId } from '../contract/ids.js';
import type { Message } from '../contract/message.js';
import { sealedAnswerMark } from '../contract/signal/sealed-answer-mark.js';
import type { Envelope } from '../contract/signal/signal.js';
import { answerOf as answerText } from '../contract/text/render-questions.js';
import type { ReplyOutcome } from '../ports/reply-outcome.js';
import type { SignalRecord } from '../ports/signal.js';
import type { SignalPorts } from './ports.js';
import { answerOf, type AnswerFields } from './respond.js';

interface Reader {
  sessionId: string;
  /** Only an asker that reads its own inbox is shown what was answered. */
  agentId: string;
  model: ModelReader | undefined;
}

interface Handed {
  output: { messages: Message[] };
  replyOutcome?: ReplyOutcome;
}

/** By question: answers that only the asker's program can open. */
export type SealedAnswers = Record<string, Envelope>;

export async function withAnswers<Answer extends Handed>(
  ports: Pick<SignalPorts, 'store' | 'sealer'>,
  { sessionId, agentId, model }: Reader,
  answer: Answer,
): Promise<Answer & { sealed?: SealedAnswers }> {
  const { messages } = answer.output;
  if (!messages.some((message) => questionIn(message) !== undefined)) return answer;
  try {
    const sealed: SealedAnswers = {};
    const shown: Message[] = [];
    let left = model === undefined ? Infinity : model.tokensMax - tokensAtMost(JSON.stringify(messages));
    for (const message of messages) {
      const signal = await toldBy(ports, { sessionId, agentId }, message);
      const fields = signal === null ? {} : await answerFields(ports, signal);
      const opened = signal === null ? message : open(signal, fields, message);
      left -= tokensAtMost(JSON.stringify(opened)) - tokensAtMost(JSON.stringify(message));
      shown.push(left < 0 ? message : opened);
      if (signal !== null && fields.sealed !== undefined) sealed[signal.id] = fields.sealed;
    }
    const output = { ...answer.output, messages: shown };
    return { ...answer, output, ...(Object.keys(sealed).length === 0 ? {} : { sealed }) };
  } catch (error) {
    answer.replyOutcome?.unsent();
    throw error;
  }
}

/** The question whose end it tells of. Anyone can send such a message, but only to a question's asker does it open anything. */
async function toldBy(
  { store }: Pick<SignalPorts, 'store'>,
  { sessionId, agentId }: Pick<Reader, 'sessionId' | 'agentId'>,
  message: Message,
): Promise<SignalRecord | null> {
  const id = questionIn(message);
  if (id === undefined) return null;
  const signal = await store.findSignal({ sessionId, id });
  if (signal === null || signal.sender !== agentId || signal.status !== message.payload?.['status']) return null;
  return message.sender === systemAgentId || message.sender === signal.answeredBy ? signal : null;
}

function questionIn({ type, payload }: Message): string | undefined {
  const id = type === 'RESULT' ? payload?.['questionId'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

function open(signal: SignalRecord, fields: AnswerFields, message: Message): Message {
  const text = textOf(signal, fields);
  if (text === '') return message;
  const { sealed, response, option, reason, isDefault } = fields;
  const [fact, ...rest] = message.content;
  const told = fact?.type === 'text' ? fact.text : '';
  return {
    ...message,
    content: [{ type: 'text', text: `${told}: ${text}` }, ...rest],
    payload: {
      ...message.payload,
      ...(response === undefined ? {} : { response }),
      ...(option === undefined ? {} : { option }),
      ...(reason === undefined ? {} : { reason }),
      ...(isDefault === undefined ? {} : { isDefault }),
      ...(sealed === undefined ? {} : { sealedAnswer: sealed }),
    },
  };
}

/** A hub that cannot open answers still hands out messages. */
async function answerFields(ports: Pick<SignalPorts, 'sealer'>, signal: SignalRecord): Promise<AnswerFields> {
  try {
    return await answerOf(ports, signal);
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    return { message: error.message };
  }
}

function textOf({ id }: SignalRecord, { sealed, response, option, reason, message = '' }: AnswerFields): string {
  if (sealed !== undefined) return sealedAnswerMark(id);
  if (response !== undefined || option !== undefined) return answerText({ response, option });
  return reason ?? message;
}
