// answer_question and decline_question, for people; cancel_question, for who asked. The first to end a question wins.
import { auditRead } from '../access/audit-read.js';
import type { answerQuestion as answerContract } from '../contract/operations/answer-question.js';
import type { cancelQuestion as cancelContract } from '../contract/operations/cancel-question.js';
import type { declineQuestion as declineContract } from '../contract/operations/decline-question.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import type { Envelope, SignalAnswer } from '../contract/signal/signal.js';
import { isAdmin, type NamedCaller } from '../ports/caller.js';
import type { SignalEnd, SignalRecord, StoredBody } from '../ports/signal.js';
import { requireDevice } from './calling-device.js';
import {
  decideAnswer,
  requireAnswerHeader,
  requireMayDecide,
  requirePersonCalls,
  requireRecipient,
} from './decide-answer.js';
import { asOf, questionUnknown, requirePending } from './decide-state.js';
import type { SignalPorts } from './ports.js';
import { readHeader } from './read-header.js';
import { answerOf } from './respond.js';

export async function answerQuestion(
  ports: SignalPorts,
  caller: NamedCaller,
  input: InputOf<typeof answerContract>,
): Promise<OutputOf<typeof answerContract>> {
  const signal = await requireAnswerable(ports, caller, input);
  const answer =
    input.sealed === undefined
      ? await sealPlain(ports, signal, decideAnswer(input, signal.optionCount, await ports.sealer.openContent(signal)))
      : await checkSealed(ports, caller, { signal, envelope: input.sealed, status: 'answered' });
  const ended = await end(ports, signal, { status: 'answered', by: caller.agentId, on: deviceNameOf(caller), answer });
  const { response, option } = await answerOf(ports, ended);
  return {
    success: true,
    questionId: ended.id,
    status: 'answered',
    ...(response === undefined ? {} : { response }),
    ...(option === undefined ? {} : { option }),
  };
}

export async function declineQuestion(
  ports: SignalPorts,
  caller: NamedCaller,
  input: InputOf<typeof declineContract>,
): Promise<OutputOf<typeof declineContract>> {
  const signal = await requireAnswerable(ports, caller, input);
  const reason = input.reason === undefined ? null : { option: null, response: input.reason };
  const answer =
    input.sealed === undefined
      ? reason && (await sealPlain(ports, signal, reason))
      : await checkSealed(ports, caller, { signal, envelope: input.sealed, status: 'declined' });
  const ended = await end(ports, signal, { status: 'declined', by: caller.agentId, on: deviceNameOf(caller), answer });
  return { success: true, questionId: ended.id, status: 'declined' };
}

/** By who asked; by an admin, which is audited. */
export async function cancelQuestion(
  ports: SignalPorts,
  caller: NamedCaller,
  input: InputOf<typeof cancelContract>,
): Promise<OutputOf<typeof cancelContract>> {
  const { sessionId, agentId } = caller;
  const id = input.questionId;
  const found = await ports.store.findSignal({ sessionId, id });
  if (found === null || found.kind === 'alert') throw questionUnknown(id);
  if (found.sender !== agentId) {
    if (!isAdmin(caller)) throw questionUnknown(id);
    await auditRead(ports, caller, { act: 'cancel_question', target: id, details: { asker: found.sender } });
  }
  requirePending(asOf(found, ports.clock.now()));
  const reason = input.reason === undefined ? null : { option: null, response: input.reason };
  const answer = reason && (await sealPlain(ports, found, reason));
  await end(ports, found, { status: 'cancelled', by: agentId, answer });
  return { success: true, questionId: id, status: 'cancelled' };
}

async function requireAnswerable(
  ports: SignalPorts,
  caller: NamedCaller,
  { questionId: id, sealed }: { questionId: string; sealed?: Envelope | undefined },
): Promise<SignalRecord> {
  const { sessionId, agentId } = caller;
  const person = await ports.store.findAgent({ sessionId, id: agentId });
  requirePersonCalls(caller, person?.kind);
  const found = await ports.store.findSignal({ sessionId, id });
  if (found === null || found.kind === 'alert') throw questionUnknown(id);
  requireRecipient(found, caller);
  requireMayDecide(found, caller, sealed !== undefined);
  requirePending(asOf(found, ports.clock.now()));
  return found;
}

function sealPlain(ports: SignalPorts, signal: SignalRecord, answer: SignalAnswer): Promise<StoredBody> {
  return ports.sealer.sealAnswer(signal, answer);
}

async function checkSealed(
  ports: SignalPorts,
  caller: NamedCaller,
  { signal, envelope, status }: { signal: SignalRecord; envelope: Envelope; status: 'answered' | 'declined' },
): Promise<StoredBody> {
  const device = await requireDevice(ports.store, caller);
  requireAnswerHeader(signal, status, readHeader(envelope));
  await ports.sealer.requireAnswerOf(signal, device, envelope);
  return { form: 'envelope', envelope };
}

function deviceNameOf({ grant }: NamedCaller): string | null {
  return grant?.device?.name ?? null;
}

async function end(ports: SignalPorts, { sessionId, id }: SignalRecord, how: SignalEnd): Promise<SignalRecord> {
  const { signal, appended } = await ports.store.endSignal({ sessionId, id, at: ports.clock.now(), end: how });
  ports.announce(sessionId, appended);
  ports.wakeup.signals(sessionId);
  return signal;
}
