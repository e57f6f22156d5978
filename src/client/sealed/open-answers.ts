// Opens answers that were sealed for this program: in get_response, and in messages that tell of them.
import { HubError } from '../../contract/errors.js';
import { sealedAnswerMark } from '../../contract/signal/sealed-answer-mark.js';
import type { Envelope, PublicKeys } from '../../contract/signal/signal.js';
import { answerOf as answerText } from '../../contract/text/render-questions.js';
import { answerOf, EnvelopeError, fieldsOf, headerOf, isInBounds, open } from '../../signal/envelope/index.js';
import { readKeys, trustedDevices } from './known-keys.js';
import type { SealingOptions, SendPlain } from './sealing.js';

interface Sealed {
  questionId: string;
  status: unknown;
  isDefault: boolean;
  envelope: Envelope;
}

type Fields = Record<string, unknown>;

interface Answer {
  option?: number;
  response?: string;
  reason?: string;
  readable?: false;
  message?: string;
}

/** What takes the place of the envelope. */
export async function openResponse(options: SealingOptions, send: SendPlain, output: Fields): Promise<Fields> {
  const { sealed, ...rest } = output;
  const { questionId, status, isDefault } = output;
  if (!isInBounds(sealed) || typeof questionId !== 'string') return output;
  const given = { questionId, status, isDefault: isDefault === true, envelope: sealed };
  return { ...rest, ...(await openAnswer(options, send, given)) };
}

export async function openMessages(options: SealingOptions, send: SendPlain, output: Fields): Promise<Fields> {
  const { messages } = output;
  if (!Array.isArray(messages)) return output;
  const opened: unknown[] = [];
  for (const message of messages) opened.push(await openMessage(options, send, fieldsOf(message)));
  return { ...output, messages: opened };
}

async function openMessage(options: SealingOptions, send: SendPlain, message: Fields): Promise<Fields> {
  const { content } = message;
  const { sealedAnswer: envelope, ...payload } = fieldsOf(message['payload']);
  const { questionId, status, isDefault } = payload;
  if (!isInBounds(envelope) || typeof questionId !== 'string') return message;
  const answer = await openAnswer(options, send, { questionId, status, isDefault: isDefault === true, envelope });
  const blocks: unknown[] = Array.isArray(content) ? content : [];
  const shown = blocks.map((block) => replaced(fieldsOf(block), sealedAnswerMark(questionId), textOf(answer)));
  return { ...message, content: shown, payload: { ...payload, ...answer } };
}

function textOf({ option, response, reason, message }: Answer): string {
  return answerText({ option, response }) || (reason ?? message ?? '');
}

function replaced(block: Fields, mark: string, shown: string): Fields {
  return typeof block['text'] === 'string' ? { ...block, text: block['text'].split(mark).join(shown) } : block;
}

async function openAnswer(options: SealingOptions, send: SendPlain, sealed: Sealed): Promise<Answer> {
  try {
    const { header, payload, isByHub } = await openFrom(options, send, sealed);
    if (header.status !== undefined && header.status !== sealed.status) {
      throw new EnvelopeError('wrong_header', 'It was signed for another status.');
    }
    const { option, response } = answerOf(payload);
    const isReason = sealed.status === 'declined' || sealed.status === 'cancelled';
    const given = isReason ? { reason: response } : { response, ...(option === null ? {} : { option }) };
    const note = 'Given on the command line or with a key, and encrypted by the hub: no device has signed it.';
    return { ...given, ...(isByHub ? { message: note } : {}) };
  } catch (error) {
    // Other messages of the same result must not be lost with this one; get_response can be called again.
    if (!(error instanceof EnvelopeError) && !(error instanceof HubError)) throw error;
    return { readable: false, message: `The answer cannot be read here: ${error.message}` };
  }
}

async function openFrom(options: SealingOptions, send: SendPlain, { questionId, isDefault, envelope }: Sealed) {
  const keys = await options.memory.keys();
  const known = await readKeys(send, undefined);
  if (known === undefined) throw new EnvelopeError('unknown_sender', 'The hub does not list its devices.');
  const trusted = await trustedDevices(options, known);
  const seen = Object.values(await options.memory.seen());
  // A device that was revoked since is not listed any more, but was seen.
  const devices: PublicKeys[] =
    options.requireE2e === true
      ? [...trusted, ...seen.filter(({ kid }) => options.isVerified?.(known.hub.kid, kid) === true)]
      : [...trusted, ...seen];
  const hub = options.requireE2e === true ? [] : [known.hub];
  const senders = isDefault ? [keys.public] : [...devices, ...hub];
  const use = isDefault ? ('default' as const) : ('answer' as const);
  const opened = await open(keys, envelope, { senders, header: { use, session: known.session, id: questionId } });
  return { ...opened, isByHub: headerOf(envelope).from === known.hub.kid };
}
