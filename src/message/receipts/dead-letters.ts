// get_dead_letters, replay_dead_letter and discard_dead_letter.
import { auditEntry } from '../../access/audit-entry.js';
import { auditRead, type AuditPorts } from '../../access/audit-read.js';
import { cutMessage } from '../../contract/budget/cut-message.js';
import { answerFrameTokens, countThatFit, entryTokens } from '../../contract/budget/message-tokens.js';
import type { ModelReader } from '../../contract/budget/model-reader.js';
import { decodeCursor, encodeCursor } from '../../contract/cursor.js';
import { HubError } from '../../contract/errors.js';
import { deadLetterIdOf, numberOfDeadLetterId } from '../../contract/ids.js';
import type { Message } from '../../contract/message.js';
import type { discardDeadLetter as discardContract } from '../../contract/operations/discard-dead-letter.js';
import type { getDeadLetters as getContract } from '../../contract/operations/get-dead-letters.js';
import type { replayDeadLetter as replayContract } from '../../contract/operations/replay-dead-letter.js';
import type { InputOf, OutputOf } from '../../contract/operation.js';
import type { Caller } from '../../ports/caller.js';
import type { Metrics } from '../../ports/metrics.js';
import type { Store } from '../../ports/store.js';
import type { Wakeup } from '../../ports/wakeup.js';
import { deadLetterUnknown } from './decide-replay.js';
import { viewMessage } from '../inbox/view.js';

export interface DeadLetterPorts extends AuditPorts {
  store: Pick<Store, 'deadLetters' | 'replayDeadLetter' | 'discardDeadLetter'> & AuditPorts['store'];
  wakeup: Wakeup;
  metrics: Metrics;
}

export async function getDeadLetters(
  ports: DeadLetterPorts,
  caller: Caller,
  { input, model }: { input: InputOf<typeof getContract>; model: ModelReader | undefined },
): Promise<OutputOf<typeof getContract>> {
  const { limit, cursor } = input;
  const before = cursor === undefined ? null : lastNumberOf(cursor);
  const found = await ports.store.deadLetters({ sessionId: caller.sessionId, limit, before });
  const details = { deadLetters: found.deadLetters.length };
  await auditRead(ports, caller, { act: 'get_dead_letters', target: '', details });
  const letters = found.deadLetters.map(({ number, message, recipient, reason, at }) => ({
    id: deadLetterIdOf(number),
    messageId: message.id,
    recipient,
    reason,
    at: new Date(at).toISOString(),
    message: viewMessage(message, null),
  }));
  const deadLetters = fitLetters(letters, model);
  const hasMore = found.hasMore || deadLetters.length < letters.length;
  const last = found.deadLetters[deadLetters.length - 1];
  return {
    deadLetters,
    hasMore,
    cursor: hasMore && last !== undefined ? encodeCursor({ kind: 'position', after: [last.number] }) : null,
  };
}

/** As many as fit a model's budget; a letter too long for any answer is cut. */
function fitLetters<Letter extends { message: Message }>(letters: Letter[], model: ModelReader | undefined): Letter[] {
  if (model === undefined) return letters;
  const tokens = model.tokensMax - answerFrameTokens;
  const shown = letters.slice(0, countThatFit(letters, tokens, entryTokens));
  return shown.length === 1
    ? shown.map((letter) => ({ ...letter, message: cutMessage(letter.message, tokens) }))
    : shown;
}

export async function replayDeadLetter(
  { store, clock, wakeup, metrics }: DeadLetterPorts,
  caller: Caller,
  { id }: InputOf<typeof replayContract>,
): Promise<OutputOf<typeof replayContract>> {
  const { sessionId } = caller;
  const now = clock.now();
  const audit = auditEntry(caller, now, 'replay_dead_letter', id);
  const replayed = await store.replayDeadLetter({ sessionId, number: numberOf(id), now, audit });
  const { recipients, isWaking } = replayed;
  const { message, recipient } = replayed.letter;
  const { seq, threadId, sender } = message;
  const isInterrupt = message.action === 'interrupt';
  metrics.copyReplayed();
  wakeup.copies(recipients.map((agentId) => ({ sessionId, agentId, seq, threadId, sender, isWaking, isInterrupt })));
  const toGroup = recipients.includes(recipient) ? {} : { recipients };
  return { success: true, id, messageId: message.id, recipient, ...toGroup, state: 'pending' };
}

export async function discardDeadLetter(
  { store, clock }: DeadLetterPorts,
  caller: Caller,
  { id }: InputOf<typeof discardContract>,
): Promise<OutputOf<typeof discardContract>> {
  const audit = auditEntry(caller, clock.now(), 'discard_dead_letter', id);
  const plan = { sessionId: caller.sessionId, number: numberOf(id), audit };
  const { message, recipient } = await store.discardDeadLetter(plan);
  return { success: true, id, messageId: message.id, recipient };
}

function numberOf(id: string): number {
  const number = numberOfDeadLetterId(id);
  if (number === undefined) throw deadLetterUnknown(id);
  return number;
}

/** The number of the last letter on the previous page. */
function lastNumberOf(text: string): number {
  const cursor = decodeCursor(text);
  const [number, ...rest] = cursor?.kind === 'position' ? cursor.after : [];
  if (typeof number === 'number' && Number.isSafeInteger(number) && rest.length === 0) return number;
  throw new HubError('INVALID_INPUT', 'cursor: is not a cursor of get_dead_letters.', {
    hint: 'Use the cursor of the last answer as it was, or leave it out to start over.',
    details: { field: 'cursor' },
  });
}
