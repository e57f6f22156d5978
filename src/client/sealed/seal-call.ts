// Turns ask_question and send_alert into send_sealed.
import type { Envelope } from '../../contract/signal/signal.js';
import { seal } from '../../signal/envelope/index.js';
import { readKeys, trustedDevices } from './known-keys.js';
import { e2eRequired, type SealingOptions, type SendPlain } from './sealing.js';

export const sealedOperations: ReadonlySet<string> = new Set(['ask_question', 'send_alert']);

const pairHint = 'Pair a device on this machine with coterie pair, and leave encrypt out.';
const idBytes = 10;

/** Fields of the two operations, under their names in the contract. */
export interface PlainCall {
  operation: string;
  input: Readonly<Record<string, unknown>>;
}

/** The input of send_sealed; undefined if the call has to go as it is. */
export async function sealCall(
  options: SealingOptions,
  send: SendPlain,
  { operation, input }: PlainCall,
): Promise<Record<string, unknown> | undefined> {
  const isRequired = options.requireE2e === true;
  if (input['encrypt'] === false) {
    if (isRequired) throw e2eRequired('This program sends only what is encrypted end to end.', pairHint);
    return undefined;
  }
  const known = await readKeys(send, input['to']);
  const devices = known === undefined ? [] : await trustedDevices(options, known);
  if (known === undefined || devices.length === 0) {
    if (isRequired)
      throw e2eRequired('No verified device of the recipients is known here. Nothing was sent.', pairHint);
    return undefined;
  }
  const kind = operation === 'send_alert' ? 'alert' : 'question';
  const id = newId(kind);
  const keys = await options.memory.keys();
  const header = { session: known.session, id, at: Date.now() };
  const content = contentOf(kind, input);
  const envelope = await seal(keys, devices, { header: { ...header, use: kind }, payload: content });
  let defaultAnswer: Envelope | undefined;
  if (typeof input['defaultAnswer'] === 'string') {
    const payload = defaultOf(input['defaultAnswer'], content.options);
    defaultAnswer = await seal(keys, [keys.public, ...devices], { header: { ...header, use: 'default' }, payload });
  }
  const { question: _q, message: _m, options: _o, context: _c, encrypt: _e, ...clear } = input;
  return {
    ...clear,
    kind,
    id,
    envelope,
    optionCount: content.options.length,
    replyKid: keys.public.kid,
    ...(defaultAnswer === undefined ? {} : { defaultAnswer }),
  };
}

/** The result as the caller's own operation gives it. */
export function resultFor(operation: string, output: Record<string, unknown>): Record<string, unknown> {
  if (operation !== 'send_alert') return output;
  const { questionId, ...rest } = output;
  return { ...rest, alertId: questionId };
}

function contentOf(kind: 'question' | 'alert', input: PlainCall['input']) {
  const { question, message, options, context } = input;
  return {
    text: textOf(kind === 'alert' ? message : question),
    options: Array.isArray(options) ? options.map(textOf) : [],
    context: typeof context === 'string' ? context : null,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function defaultOf(response: string, options: readonly string[]) {
  const index = options.indexOf(response);
  return { option: index < 0 ? null : index + 1, response };
}

function newId(kind: 'question' | 'alert'): string {
  const bytes = crypto.getRandomValues(new Uint8Array(idBytes));
  return `${kind === 'alert' ? 'a' : 'q'}-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
