// ask_question and send_alert: seals what was written, stores it for its recipients and wakes their pages.
import type { askQuestion as askContract } from '../contract/operations/ask-question.js';
import type { sendAlert as alertContract } from '../contract/operations/send-alert.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import type { NamedCaller } from '../ports/caller.js';
import type { AddSignalPlan, NewSignal, SealedSignal, SignalReach, SignalRecord } from '../ports/signal.js';
import { expiryOf } from './decide-asking.js';
import type { SignalPorts } from './ports.js';
import { describeSignal } from './describe-signal.js';

export async function askQuestion(
  ports: SignalPorts,
  caller: Pick<NamedCaller, 'sessionId' | 'agentId'>,
  input: InputOf<typeof askContract>,
): Promise<OutputOf<typeof askContract>> {
  const { idempotencyKey, ...request } = input;
  const at = ports.clock.now();
  const people = await ports.store.signalRecipients({ sessionId: caller.sessionId, to: input.to ?? null });
  const open = {
    sessionId: caller.sessionId,
    id: ports.ids.questionId(),
    kind: 'question' as const,
    people,
    content: { text: input.question, options: input.options, context: input.context ?? null },
    defaultAnswer: input.defaultAnswer === undefined ? null : defaultOf(input.defaultAnswer, input.options),
    callHash: null,
    at,
    expiresAt: expiryOf(input.ttl, at),
  };
  const sealed = await ports.sealer.seal(open, input.encrypt);
  const signal: NewSignal = {
    ...rowOf(caller, open, sealed),
    priority: input.priority,
    alertType: null,
    threadId: input.threadId ?? null,
    inReplyTo: input.inReplyTo ?? null,
    projectId: input.projectId ?? null,
    label: null,
    optionCount: input.options.length,
  };
  const added = await addSignal(ports, { signal, key: keyOf(ports, idempotencyKey, request) });
  const { id, expiresAt } = added.signal;
  return {
    success: true,
    questionId: id,
    ...describeSignal(added, { ...sealed, appUrl: ports.appUrl() }),
    ...(expiresAt === null ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
  };
}

export async function sendAlert(
  ports: SignalPorts,
  caller: NamedCaller,
  input: InputOf<typeof alertContract>,
): Promise<OutputOf<typeof alertContract>> {
  const { idempotencyKey, ...request } = input;
  const at = ports.clock.now();
  const people = await ports.store.signalRecipients({ sessionId: caller.sessionId, to: input.to ?? null });
  const open = {
    sessionId: caller.sessionId,
    id: ports.ids.alertId(),
    kind: 'alert' as const,
    people,
    content: { text: input.message, options: [], context: input.context ?? null },
    defaultAnswer: null,
    callHash: null,
    at,
    expiresAt: null,
  };
  const sealed = await ports.sealer.seal(open, input.encrypt);
  const signal: NewSignal = {
    ...rowOf(caller, open, sealed),
    priority: input.priority,
    alertType: input.alertType,
    threadId: null,
    inReplyTo: null,
    projectId: input.projectId ?? null,
    label: input.sessionId ?? null,
    optionCount: 0,
  };
  const added = await addSignal(ports, { signal, key: keyOf(ports, idempotencyKey, request) });
  return {
    success: true,
    alertId: added.signal.id,
    ...describeSignal(added, { ...sealed, appUrl: ports.appUrl() }),
  };
}

export interface Added {
  signal: SignalRecord;
  duplicate: boolean;
  reach: SignalReach;
}

export async function addSignal(ports: SignalPorts, plan: Omit<AddSignalPlan, 'sessionId'>): Promise<Added> {
  const { sessionId, kind, sender } = plan.signal;
  const uncount = kind === 'alert' ? ports.countAlert({ sessionId, agentId: sender }) : () => {};
  try {
    const added = await ports.store.addSignal({ sessionId, ...plan });
    if (added.duplicate) uncount();
    else ports.wakeup.signals(sessionId);
    return added;
  } catch (error) {
    uncount();
    throw error;
  }
}

export function keyOf(ports: SignalPorts, key: string | undefined, request: object): AddSignalPlan['key'] {
  return key === undefined ? null : { key, mac: ports.requestMac(JSON.stringify(request)) };
}

/** An option by its text, or free text. */
function defaultOf(response: string, options: readonly string[]): { option: number | null; response: string } {
  const index = options.indexOf(response);
  return { option: index < 0 ? null : index + 1, response };
}

type Open = Parameters<SignalPorts['sealer']['seal']>[0];

function rowOf(
  { sessionId, agentId }: Pick<NamedCaller, 'sessionId' | 'agentId'>,
  { id, kind, people, callHash, at, expiresAt }: Open,
  { level, body, defaultAnswer }: SealedSignal,
) {
  return {
    sessionId,
    id,
    kind,
    sender: agentId,
    people: [...people],
    level,
    callHash,
    body,
    defaultAnswer,
    askedAt: at,
    expiresAt,
  };
}
