// A stored question or alert as a caller sees it: opened where the hub can open it, else as the envelope for the caller.
import type { AlertView, QuestionView } from '../contract/signal/question.js';
import type { Envelope } from '../contract/signal/signal.js';
import type { DeviceRecord, SignalRecord } from '../ports/signal.js';
import type { SignalPorts } from './ports.js';
import { answerOf } from './respond.js';

export interface Viewer {
  agentId: string | null;
  /** The calling device. */
  deviceId: string | null;
  /** All devices of the person, if a device calls. */
  devices: readonly DeviceRecord[];
  /** By id. */
  names: ReadonlyMap<string, string>;
}

export async function viewQuestion(ports: SignalPorts, signal: SignalRecord, viewer: Viewer): Promise<QuestionView> {
  const { status, kind, threadId, inReplyTo, expiresAt, optionCount, callHash, answeredBy, answeredOn } = signal;
  if (status === 'sent') throw new Error('an alert is not a question');
  const content = await ports.sealer.openContent(signal);
  const { sealed: sealedAnswer, response, option, reason, isDefault } = await answerOf(ports, signal);
  const silence = status === 'pending' ? await defaultAnswerOf(ports, signal) : undefined;
  return {
    ...(await viewCommon(ports, signal, viewer)),
    kind,
    status,
    ...given({ threadId, inReplyTo, callHash, answeredBy, answeredOn }),
    askedAt: timeOf(signal.askedAt),
    ...(expiresAt === null ? {} : { expiresAt: timeOf(expiresAt) }),
    optionCount,
    ...(content === null ? {} : { question: content.text, options: content.options }),
    ...(content?.context === undefined || content.context === null ? {} : { context: content.context }),
    ...(content?.toolCall === undefined ? {} : { toolCall: content.toolCall }),
    ...(silence === undefined ? {} : { defaultAnswer: silence }),
    ...(signal.endedAt === null ? {} : { answeredAt: timeOf(signal.endedAt) }),
    ...(response === undefined ? {} : { response }),
    ...(option === undefined ? {} : { option }),
    ...(reason === undefined ? {} : { reason }),
    ...(isDefault === undefined ? {} : { isDefault }),
    ...(sealedAnswer === undefined ? {} : { sealedAnswer }),
  };
}

export async function viewAlert(ports: SignalPorts, signal: SignalRecord, viewer: Viewer): Promise<AlertView> {
  const content = await ports.sealer.openContent(signal);
  return {
    ...(await viewCommon(ports, signal, viewer)),
    alertType: signal.alertType ?? 'info',
    sentAt: timeOf(signal.askedAt),
    ...given({ label: signal.label }),
    ...(content === null ? {} : { message: content.text }),
    ...(content?.context === undefined || content.context === null ? {} : { context: content.context }),
  };
}

async function viewCommon({ sealer }: SignalPorts, signal: SignalRecord, viewer: Viewer) {
  const senderKeys = await sealer.senderKeys(signal);
  const { id, sender, people, priority, projectId, level, body } = signal;
  return {
    id,
    from: sender,
    fromName: viewer.names.get(sender) ?? sender,
    to: people,
    priority,
    ...given({ projectId }),
    encryption: level,
    ...(body.form === 'envelope' ? viewEnvelope(body.envelope, signal, viewer) : {}),
    ...(senderKeys === null ? {} : { senderKeys }),
  };
}

/** A device gets the content key wrapped for itself alone; who sealed it, and admins, the whole envelope. */
function viewEnvelope(
  sealed: Envelope,
  signal: SignalRecord,
  { deviceId, devices }: Viewer,
): Pick<QuestionView, 'sealed' | 'missingWraps'> {
  const kid = devices.find(({ id }) => id === deviceId)?.kid;
  if (kid === undefined) return { sealed };
  const missingWraps = [...new Set([...lacking(sealed, devices), ...lackingAnswer(signal, kid, devices)])];
  return {
    sealed: { ...sealed, r: sealed.r.filter(({ k }) => k === kid) },
    ...(missingWraps.length === 0 ? {} : { missingWraps }),
  };
}

function lacking({ r }: Envelope, devices: readonly DeviceRecord[]): string[] {
  const wrapped = new Set(r.map(({ k }) => k));
  return devices.flatMap(({ kid }) => (wrapped.has(kid) ? [] : [kid]));
}

/** The hub reads others out itself. What the calling device cannot read, it cannot share. */
function lackingAnswer({ level, answer }: SignalRecord, kid: string, devices: readonly DeviceRecord[]): string[] {
  if (level !== 'end_to_end' || answer?.form !== 'envelope') return [];
  if (!answer.envelope.r.some(({ k }) => k === kid)) return [];
  return lacking(answer.envelope, devices);
}

/** What silence means, as far as the hub can read it. */
async function defaultAnswerOf({ sealer }: SignalPorts, signal: SignalRecord): Promise<string | undefined> {
  if (signal.defaultAnswer === null) return undefined;
  return (await sealer.openAnswer({ ...signal, status: 'expired' }))?.response;
}

/** Without the fields that are null. */
function given(fields: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
