// list_questions and list_alerts: what a caller asked, what was put to it; for admins all of the session.
import { auditRead } from '../access/audit-read.js';
import { decodeCursor, encodeCursor } from '../contract/cursor.js';
import { HubError } from '../contract/errors.js';
import { limits } from '../contract/limits.js';
import type { listAlerts as alertsContract } from '../contract/operations/list-alerts.js';
import type { listQuestions as questionsContract } from '../contract/operations/list-questions.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import { isAdmin, type Caller } from '../ports/caller.js';
import type { SignalQuery, SignalRecord } from '../ports/signal.js';
import { asOf, questionUnknown } from './decide-state.js';
import type { SignalPorts } from './ports.js';
import { viewAlert, viewQuestion, type Viewer } from './view-signal.js';

export async function listQuestions(
  ports: SignalPorts,
  caller: Caller,
  input: InputOf<typeof questionsContract>,
): Promise<OutputOf<typeof questionsContract>> {
  if (input.questionId !== undefined) {
    const { signals, viewer } = await viewed(ports, caller, [await findOne(ports, caller, input.questionId)]);
    return { questions: await Promise.all(signals.map((signal) => viewQuestion(ports, signal, viewer))), cursor: null };
  }
  const found = await listFor(ports, caller, { ...input, kinds: 'questions', status: input.status ?? null });
  const { signals, viewer } = await viewed(ports, caller, found.signals);
  const questions = await Promise.all(signals.map((signal) => viewQuestion(ports, signal, viewer)));
  return { questions, cursor: cursorAt(found.before) };
}

export async function listAlerts(
  ports: SignalPorts,
  caller: Caller,
  input: InputOf<typeof alertsContract>,
): Promise<OutputOf<typeof alertsContract>> {
  const found = await listFor(ports, caller, { ...input, kinds: 'alerts', status: null });
  const { signals, viewer } = await viewed(ports, caller, found.signals);
  const alerts = await Promise.all(signals.map((signal) => viewAlert(ports, signal, viewer)));
  return { alerts, cursor: cursorAt(found.before) };
}

async function findOne(ports: SignalPorts, caller: Caller, id: string): Promise<SignalRecord> {
  const found = await ports.store.findSignal({ sessionId: caller.sessionId, id });
  const isVisible = found !== null && found.kind !== 'alert' && (isAdmin(caller) || isOf(found, caller.agentId));
  if (!isVisible) throw questionUnknown(id);
  if (!isOf(found, caller.agentId)) {
    await auditRead(ports, caller, { act: 'list_questions', target: id, details: { asker: found.sender } });
  }
  return found;
}

function isOf({ sender, people }: SignalRecord, agentId: string | null): boolean {
  return agentId !== null && (sender === agentId || people.includes(agentId));
}

interface Listing extends Pick<SignalQuery, 'kinds' | 'status' | 'limit'> {
  forMe?: boolean | undefined;
  cursor?: string | undefined;
}

/** In open mode everyone is an admin, but mostly wants to see what is theirs. */
async function listFor(ports: SignalPorts, caller: Caller, { forMe, cursor, ...listing }: Listing) {
  const { sessionId, agentId, grant } = caller;
  const mayBeAll = isAdmin(caller);
  if (agentId === null && !mayBeAll) throw new Error('only an admin may be without a name here');
  const isAll = mayBeAll && (agentId === null || !(forMe ?? grant === null));
  if (isAll) {
    const act = listing.kinds === 'alerts' ? 'list_alerts' : 'list_questions';
    await auditRead(ports, caller, { act, target: '', details: { status: listing.status } });
  }
  const before = cursor === undefined ? null : positionOf(cursor);
  return readPage(ports, { sessionId, of: isAll ? null : agentId, now: ports.clock.now(), before, ...listing });
}

/** An envelope can have 100 KB: a page ends early, after a read with which it is large. */
const signalsPerRead = 10;

async function readPage({ store }: SignalPorts, query: SignalQuery): ReturnType<typeof store.listSignals> {
  const signals: SignalRecord[] = [];
  let { before } = query;
  let bytes = 0;
  do {
    const limit = Math.min(signalsPerRead, query.limit - signals.length);
    const read = await store.listSignals({ ...query, limit, before });
    signals.push(...read.signals);
    ({ before } = read);
    bytes += read.signals.reduce((sum, { body, answer, defaultAnswer }) => {
      return sum + JSON.stringify([body, answer, defaultAnswer]).length;
    }, 0);
  } while (before !== null && signals.length < query.limit && bytes < limits.pageBytes);
  return { signals, before };
}

async function viewed(
  ports: SignalPorts,
  { sessionId, agentId, grant }: Caller,
  signals: SignalRecord[],
): Promise<{ signals: SignalRecord[]; viewer: Viewer }> {
  const ids = [...new Set(signals.map(({ sender }) => sender))];
  const names = ids.length === 0 ? {} : await ports.store.agentNames({ sessionId, ids });
  const device = grant?.device;
  const devices =
    device === undefined || device === null || agentId === null
      ? []
      : await ports.store.listDevices({ sessionId, people: [agentId] });
  const now = ports.clock.now();
  return {
    signals: signals.map((signal) => asOf(signal, now)),
    viewer: { agentId, deviceId: device?.id ?? null, devices, names: new Map(Object.entries(names)) },
  };
}

function cursorAt(before: (string | number)[] | null): string | null {
  return before === null ? null : encodeCursor({ kind: 'position', after: before });
}

function positionOf(text: string): (string | number)[] {
  const cursor = decodeCursor(text);
  const [at, id, ...rest] = cursor?.kind === 'position' ? cursor.after : [];
  if (typeof at === 'number' && Number.isSafeInteger(at) && typeof id === 'string' && rest.length === 0)
    return [at, id];
  throw new HubError('INVALID_INPUT', 'cursor: is not a position in this list.', {
    hint: 'Use the cursor of an earlier answer, or leave it out.',
    details: { field: 'cursor' },
  });
}
