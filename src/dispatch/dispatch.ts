// The only entry point: a call of any transport is normalized, identified, authorized, parsed, performed and logged here.
import { auditOnPage } from '../access/audit-page.js';
import { authorize } from '../access/authorize.js';
import { identify } from '../access/identify.js';
import type { RateLimit } from '../access/rate-limit.js';
import { shortenLists } from '../contract/budget/shorten-lists.js';
import { HubError, toHubError } from '../contract/errors.js';
import { limits } from '../contract/limits.js';
import { operations } from '../contract/operations/index.js';
import { compactMessages } from '../contract/compact-message.js';
import { explainError, operationUnknown } from '../contract/shown-tools.js';
import { respellInput } from '../contract/input/spelling.js';
import { answerText, nextSteps, withNext } from '../contract/text/answer-text.js';
import type { Caller } from '../ports/caller.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { Metrics } from '../ports/metrics.js';
import type { Store } from '../ports/store.js';
import { admit, type AdmitPorts } from './admit.js';
import { CallLog } from './call-log.js';
import type { BoundOperation, Performed } from './bind.js';
import type { Answer, Call, Outcome } from './call.js';
import { longTurn } from '../ports/long-turns.js';
import { parseInput } from './parse-input.js';
import { showAttachments, withoutFetch } from './show-attachments.js';
import { warnInUse } from './warn-in-use.js';

export interface DispatchPorts extends AdmitPorts {
  bound: readonly BoundOperation[];
  rates: Pick<RateLimit, 'spend'>;
  store: Pick<Store, 'countUnread' | 'readAttachments' | 'appendAudit'>;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

/** Operations whose answers hold messages. A search examines less than a page, and has a queue of its own. */
const largeAnswers: ReadonlySet<string> = new Set(
  [
    operations.getMessages,
    operations.getThread,
    operations.getSentMessages,
    operations.queryMessageHistory,
    operations.getSessionHistory,
    operations.getDeadLetters,
    operations.getAttachment,
    operations.exportSession,
    operations.listQuestions,
    operations.listAlerts,
  ].map(({ name }) => name),
);
const listedOverHttp = 'GET /v1/openapi.json lists all.';

export type Dispatch = (call: Call) => Promise<Outcome>;

export function createDispatch(ports: DispatchPorts): Dispatch {
  const reporting = { metrics: ports.metrics, callLog: new CallLog(ports) };
  const byName = new Map(ports.bound.map((bound) => [bound.operation.name, bound]));

  return async function dispatch(call) {
    const started = ports.clock.monotonic();
    const who: { caller?: Caller } = {};
    let outcome: Outcome;
    try {
      outcome = { answer: await perform(call, who) };
    } catch (thrown) {
      const error = toHubError(thrown);
      if (error.code === 'INTERNAL') logBug(ports.log, call.operation, thrown);
      outcome = { error: call.tools === undefined ? error : explainError(error, call.tools, call.operation) };
    }
    record(reporting, call, { caller: who.caller, outcome, ms: ports.clock.monotonic() - started });
    return outcome;
  };

  async function perform(call: Call, who: { caller?: Caller }): Promise<Answer> {
    // First of all: a call that is wrong counts too.
    ports.rates.spend(call.connection.grant);
    const bound = byName.get(call.operation) ?? byName.get(call.operation.replaceAll('-', '_'));
    if (bound === undefined) throw operationUnknown(call.operation, call.tools?.listAll ?? listedOverHttp);
    const { operation } = bound;
    const spelled = respellInput(operation, asFields(call.input));
    const caller = identify(operation, call.connection, spelled.claimedCaller);
    who.caller = caller;
    authorize(operation, caller);
    const input = parseInput(operation, spelled);
    const program = await admit(ports, caller, { connection: call.connection, transport: call.transport, operation });
    // Before anything is read or taken. A wait does it before each of its reads.
    const isLarge = largeAnswers.has(operation.name);
    if (isLarge) await call.client.answer?.take(caller, limits.pageBytes);
    if (program !== undefined) program.calls += 1;
    const performed = await bound.perform(caller, input, call).finally(() => {
      if (program !== undefined) program.calls -= 1;
    });
    await auditOnPage(ports, caller, { operation: operation.name, input, output: performed.output });
    try {
      if (isLarge) await longTurn();
      const output = await withUnread(caller, performed);
      const whole = warnInUse(ports.programs, caller, { program, output });
      // Messages that were handed out are never left out here: the store has leased no more than fit.
      const { model } = call;
      const short =
        model === undefined || performed.replyOutcome !== undefined ? whole : shortenLists(whole, model.tokensMax);
      const resolved = await showAttachments(ports.store, short, { sessionId: caller.sessionId, model });
      const { media, dataBytes } = resolved;
      const told = withoutFetch((await performed.finish?.(resolved.output)) ?? resolved.output, resolved.shown);
      const steps = nextSteps(operation, { output: told, input }, call.tools);
      return {
        operation,
        output: withNext(input['view'] === 'compact' ? compactMessages(told) : told, steps),
        text: call.transport === 'http' ? '' : answerText(operation, { output: told, input }, steps),
        media: performed.media ?? media,
        dataBytes: Math.max(performed.dataBytes ?? 0, dataBytes),
        ...(performed.sealed === undefined ? {} : { sealed: performed.sealed }),
        replyOutcome: performed.replyOutcome ?? null,
      };
    } catch (error) {
      performed.replyOutcome?.unsent();
      throw error;
    }
  }

  /** Agents forget to check their inbox: every answer says how much is unread. */
  async function withUnread(
    caller: Caller,
    performed: Performed<Record<string, unknown>>,
  ): Promise<Record<string, unknown>> {
    const { output } = performed;
    if (caller.agentId === null) return output;
    const unread =
      performed.unread ?? (await ports.store.countUnread({ sessionId: caller.sessionId, agentId: caller.agentId }));
    return unread === 0 ? output : { ...output, unread };
  }
}

function asFields(input: unknown): Record<string, unknown> {
  if (input === undefined || input === null) return {};
  if (isObject(input)) return input;
  throw new HubError('INVALID_INPUT', 'The arguments must be a JSON object.', {
    hint: 'Send the fields of the operation as one JSON object.',
  });
}

function isObject(input: unknown): input is Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

interface Finished {
  caller: Caller | undefined;
  outcome: Outcome;
  ms: number;
}

function record(
  ports: Pick<DispatchPorts, 'metrics'> & { callLog: CallLog },
  call: Call,
  { caller, outcome, ms }: Finished,
): void {
  const code = 'error' in outcome ? outcome.error.code : 'ok';
  const known = 'answer' in outcome ? outcome.answer.operation.name : call.operation.slice(0, 64);
  ports.metrics.countOperation(code === 'OPERATION_UNKNOWN' ? 'unknown' : known, code, ms);
  ports.callLog.write({
    operation: known,
    door: call.transport,
    session: caller?.sessionId ?? call.connection.grant?.sessionId,
    agent: caller?.agentId ?? call.connection.grant?.agentId,
    code,
    ms: Math.round(ms * 100) / 100,
  });
}

function logBug(log: Log, operation: string, thrown: unknown): void {
  const cause = thrown instanceof HubError ? thrown.cause : thrown;
  log.error('bug', { operation, error: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) });
}
