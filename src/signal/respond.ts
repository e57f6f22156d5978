// get_response: the state of a question and its answer, at once or after a wait.
import { auditRead } from '../access/audit-read.js';
import { HubError } from '../contract/errors.js';
import type { getResponse as contract } from '../contract/operations/get-response.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import type { SignalAnswer } from '../contract/signal/signal.js';
import { readUntilFound, type ParkPorts, type WaitContext } from '../message/wait/read-until.js';
import type { ReserveWait } from '../message/wait/reserve-wait.js';
import { WakeSignal } from '../message/wait/wake-signal.js';
import { isAdmin, type NamedCaller } from '../ports/caller.js';
import type { SignalRecord, StoredBody } from '../ports/signal.js';
import { isReadable, unreadableText } from './decide-readable.js';
import { asOf, questionUnknown } from './decide-state.js';
import type { SignalPorts } from './ports.js';

export interface RespondPorts extends SignalPorts, ParkPorts {
  reserveWait: ReserveWait;
  /** Calls back when a question of the session may have changed; the returned function unsubscribes. */
  onSignals: (sessionId: string, callback: () => void) => () => void;
}

type Response = OutputOf<typeof contract>;

export async function getResponse(
  ports: RespondPorts,
  caller: NamedCaller,
  { input, context }: { input: InputOf<typeof contract>; context: WaitContext },
): Promise<Response> {
  const { sessionId } = caller;
  const id = input.questionId;
  const startedAt = ports.clock.monotonic();
  const waitMs = Math.min(input.waitMs, context.waitMsMax ?? input.waitMs);
  const first = await readQuestion(ports, caller, id);
  if (first.status !== 'pending' || waitMs === 0) {
    return { ...(await responseOf(ports, first)), ...clamped(waitMs, input.waitMs) };
  }
  const signal = new WakeSignal();
  const freePlace = ports.reserveWait(caller);
  const unsubscribe = ports.onSignals(sessionId, () => signal.signal());
  let ended: SignalRecord | undefined;
  try {
    ended = await readUntilFound<SignalRecord>(ports, {
      sessionId,
      signal,
      deadline: startedAt + waitMs,
      context,
      async read() {
        const found = await ports.store.findSignal({ sessionId, id });
        if (found === null) throw questionUnknown(id);
        const now = asOf(found, ports.clock.now());
        return now.status === 'pending' ? undefined : now;
      },
      progressText: () => `${caller.agentId} is waiting for an answer`,
    });
  } finally {
    unsubscribe();
    freePlace();
  }
  const response = await responseOf(ports, ended ?? first);
  return {
    ...response,
    waitedMs: Math.round(ports.clock.monotonic() - startedAt),
    ...(ended === undefined ? clamped(waitMs, input.waitMs) : {}),
  };
}

function clamped(waitMs: number, asked: number): { clampedToMs?: number } {
  return waitMs < asked ? { clampedToMs: waitMs } : {};
}

/** For who asked, and for admins, which is audited. */
async function readQuestion(ports: RespondPorts, caller: NamedCaller, id: string): Promise<SignalRecord> {
  const { sessionId, agentId } = caller;
  const found = await ports.store.findSignal({ sessionId, id });
  if (found === null || found.kind === 'alert') throw questionUnknown(id);
  if (found.sender !== agentId) {
    if (!isAdmin(caller)) throw found.people.includes(agentId) ? notTheAsker(found) : questionUnknown(id);
    await auditRead(ports, caller, { act: 'get_response', target: id, details: { asker: found.sender } });
  }
  return asOf(found, ports.clock.now());
}

function notTheAsker({ id, sender }: SignalRecord): HubError {
  return new HubError('FORBIDDEN', `Question ${id} was asked by '${sender}', who gets the response.`, {
    hint: 'list_questions shows questions that were put to you, with their answers.',
    details: { questionId: id },
  });
}

async function responseOf(ports: SignalPorts, signal: SignalRecord): Promise<Response> {
  const { id, status, answeredBy, answeredOn, endedAt, expiresAt } = signal;
  if (status === 'sent') throw new Error('an alert has no response');
  const isAnswered = status === 'answered';
  const isByPerson = isAnswered || status === 'declined';
  return {
    success: true,
    questionId: id,
    answered: isAnswered,
    status,
    ...(await answerOf(ports, signal)),
    ...(status === 'pending' ? await warnIfUnreadable(ports, signal) : {}),
    ...(isAnswered && endedAt !== null ? { answeredAt: new Date(endedAt).toISOString() } : {}),
    ...(answeredBy !== null && status !== 'pending' ? { by: answeredBy } : {}),
    ...(isByPerson && answeredOn !== null ? { on: answeredOn } : {}),
    ...(status === 'pending' && expiresAt !== null ? { expiresAt: new Date(expiresAt).toISOString() } : {}),
  };
}

async function warnIfUnreadable({ store }: SignalPorts, signal: SignalRecord): Promise<Partial<Response>> {
  const { sessionId, people, id } = signal;
  if (signal.body.form !== 'envelope') return {};
  const kids = new Set((await store.listDevices({ sessionId, people })).map(({ kid }) => kid));
  return isReadable(signal, kids) ? {} : { readable: false, message: unreadableText(id) };
}

export type AnswerFields = Pick<
  Response,
  'response' | 'option' | 'reason' | 'isDefault' | 'sealed' | 'readable' | 'message'
>;

/** The answer, the default answer of an expired question, or the reason of a refusal; sealed where the hub cannot open it. */
export async function answerOf(ports: Pick<SignalPorts, 'sealer'>, signal: SignalRecord): Promise<AnswerFields> {
  const body = bodyOf(signal);
  if (body === null) return {};
  const isDefault = signal.status === 'expired' ? { isDefault: true } : {};
  const opened = await ports.sealer.openAnswer(signal);
  if (opened !== null) return { ...fieldsOf(signal, opened), ...isDefault };
  if (body.form === 'envelope' && signal.level === 'end_to_end') return { sealed: body.envelope, ...isDefault };
  return { readable: false, message: 'The hub cannot open this answer any more.', ...isDefault };
}

function bodyOf({ status, answer, defaultAnswer }: SignalRecord): StoredBody | null {
  if (status === 'pending' || status === 'sent') return null;
  return status === 'expired' ? defaultAnswer : answer;
}

function fieldsOf({ status }: SignalRecord, { option, response }: SignalAnswer): AnswerFields {
  if (status === 'declined' || status === 'cancelled') return response === '' ? {} : { reason: response };
  return { response, ...(option === null ? {} : { option }) };
}
