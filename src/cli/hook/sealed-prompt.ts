// A permission prompt, sealed for the person's devices, and the answer, which counts only if one of them signed it for this
// very prompt and tool call.
import { randomBytes } from 'node:crypto';
import type { Envelope, PublicKeys, SignalAnswer, SignalContent } from '../../contract/signal/signal.js';
import { answerOf, callHash, EnvelopeError, open, seal, type SignalKeys } from '../../signal/envelope/index.js';
import { choices, type Prompt } from './prompt.js';

export interface SealedPrompt {
  id: string;
  session: string;
  callHash: string;
  envelope: Envelope;
  optionCount: number;
  /** The call was too long to be shown whole: it cannot be allowed from a device. */
  isCut: boolean;
}

/** Leaves room for the rest of the sealed text, and for four bytes per character. */
const inputCharsMax = 8_000;
const idBytes = 10;

export async function sealPrompt(
  prompt: Prompt,
  {
    keys,
    devices,
    session,
    expiresAt,
  }: { keys: SignalKeys; devices: readonly PublicKeys[]; session: string; expiresAt: number },
): Promise<SealedPrompt> {
  const hash = await callHash(prompt.call);
  const content = contentOf(prompt);
  const id = `q-${randomBytes(idBytes).toString('hex')}`;
  const header = { use: 'permission' as const, session, id, at: Date.now(), exp: expiresAt, callHash: hash };
  return {
    id,
    session,
    callHash: hash,
    envelope: await seal(keys, devices, { header, payload: content }),
    optionCount: content.options.length,
    isCut: content.toolCall?.input !== prompt.call.input,
  };
}

function contentOf({ call, sessionScope }: Prompt): SignalContent {
  const isCut = call.input.length > inputCharsMax;
  const left = call.input.length - inputCharsMax;
  const input = isCut ? `${call.input.slice(0, inputCharsMax)}\n… ${left} more characters` : call.input;
  return {
    text: `Allow ${call.tool}?`,
    options: sessionScope === undefined ? choices.slice(0, 2) : [...choices],
    context: isCut
      ? 'The call is too long to be shown whole: it can be denied here, or decided at the terminal.'
      : sessionScope === undefined
        ? null
        : `“Allow for this session” allows ${sessionScope}.`,
    // With a cut input the hash does not match, so no page offers to allow it.
    toolCall: { ...call, input },
  };
}

/** Throws if it is anything but an answer to this prompt by one of these senders. */
export async function openAnswer(
  sealed: Envelope | undefined,
  { prompt, keys, senders }: { prompt: SealedPrompt; keys: SignalKeys; senders: readonly PublicKeys[] },
): Promise<SignalAnswer> {
  if (sealed === undefined) throw new EnvelopeError('unknown_sender', 'It is not signed by a device.');
  const { id, session, callHash: hash } = prompt;
  const header = { use: 'answer' as const, session, id, callHash: hash };
  const opened = await open(keys, sealed, { senders, header });
  if (opened.header.status === 'declined') throw new EnvelopeError('wrong_header', 'It is a refusal to answer.');
  return answerOf(opened.payload);
}
