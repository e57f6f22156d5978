// send_sealed: a question, permission prompt or alert that was sealed beside the agent. The hub stores what it cannot read.
import { HubError } from '../contract/errors.js';
import type { sendSealed as contract } from '../contract/operations/send-sealed.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import type { NamedCaller } from '../ports/caller.js';
import type { NewSignal } from '../ports/signal.js';
import { addSignal, keyOf } from './ask.js';
import { expiryOf } from './decide-asking.js';
import { describeSignal } from './describe-signal.js';
import type { SignalPorts } from './ports.js';
import { readHeader } from './read-header.js';

type Input = InputOf<typeof contract>;

export async function sendSealed(
  ports: SignalPorts,
  caller: NamedCaller,
  input: Input,
): Promise<OutputOf<typeof contract>> {
  const { sessionId, agentId } = caller;
  const { kind, id, envelope, idempotencyKey, ...request } = input;
  requireForm(input);
  requireHeaderOf(sessionId, input);
  const at = ports.clock.now();
  const people = await ports.store.signalRecipients({ sessionId, to: input.to ?? null });
  const signal: NewSignal = {
    sessionId,
    id,
    kind,
    sender: agentId,
    people,
    level: 'end_to_end',
    priority: input.priority,
    alertType: kind === 'alert' ? input.alertType : null,
    threadId: input.threadId ?? null,
    inReplyTo: input.inReplyTo ?? null,
    projectId: input.projectId ?? null,
    label: input.sessionId ?? null,
    optionCount: input.optionCount,
    callHash: input.callHash ?? null,
    body: { form: 'envelope', envelope },
    defaultAnswer: input.defaultAnswer === undefined ? null : { form: 'envelope', envelope: input.defaultAnswer },
    askedAt: at,
    expiresAt: kind === 'alert' ? null : expiryOf(input.ttl, at),
  };
  await ports.sealer.requireSealedBy(signal, envelope);
  // A retry is sealed again, with other bytes and another id: only what is in the clear can be compared.
  const { defaultAnswer: _defaultAnswer, replyKid: _replyKid, ...clear } = request;
  const added = await addSignal(ports, { signal, key: keyOf(ports, idempotencyKey, { kind, ...clear }) });
  const { expiresAt } = added.signal;
  return {
    success: true,
    questionId: added.signal.id,
    ...describeSignal(added, { ...(await readersOf(ports, signal)), appUrl: ports.appUrl() }),
    ...(expiresAt === null ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
  };
}

/** The devices that it was sealed for, and the people who have none. */
async function readersOf({ store }: SignalPorts, { sessionId, people, body }: NewSignal) {
  const kids = new Set(body.form === 'envelope' ? body.envelope.r.map(({ k }) => k) : []);
  const devices = (await store.listDevices({ sessionId, people })).filter(({ kid }) => kids.has(kid));
  const withoutDevice = people.filter((person) => !devices.some(({ personId }) => personId === person));
  return { devices: devices.length, withoutDevice };
}

function requireForm({ kind, id, callHash }: Input): void {
  const prefix = kind === 'alert' ? 'a-' : 'q-';
  if (!id.startsWith(prefix)) throw invalid('id', `of a ${kind} must start with ${prefix}`);
  if ((kind === 'permission') !== (callHash !== undefined)) {
    throw invalid(
      'callHash',
      kind === 'permission' ? 'is required for a permission prompt' : 'is for permission prompts only',
    );
  }
}

/** Devices compare the header with what the list says; the hub stores nothing that they would refuse. */
function requireHeaderOf(sessionId: string, { kind, id, envelope, callHash }: Input): void {
  const header = readHeader(envelope);
  const isSame =
    header.use === kind && header.id === id && header.session === sessionId && header.callHash === callHash;
  if (isSame) return;
  throw new HubError('ENVELOPE_INVALID', 'The header of the envelope names another use, session, id or tool call.', {
    hint: 'Seal it for this session with the same id, kind and callHash.',
    details: { id },
  });
}

function invalid(field: string, problem: string): HubError {
  return new HubError('INVALID_INPUT', `${field}: ${problem}.`, {
    hint: `Fix ${field} and call send_sealed again.`,
    details: { field, problem },
  });
}
