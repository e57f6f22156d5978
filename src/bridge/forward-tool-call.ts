// Forwards one tools/call to the hub; what happens to the answer's line decides whether its messages are read.
import { HubError, toHubError } from '../contract/errors.js';
import { shownMedia, type ShownMedia } from '../contract/shown-media.js';
import { explainError } from '../contract/shown-tools.js';
import { answerText, nextSteps, withNext } from '../contract/text/answer-text.js';
import { closingLines } from '../contract/text/closing-lines.js';
import type { Sealing } from '../client/sealed/index.js';
import { profileOf, waitLimitOf, type ResultForm } from '../mcp/client-profiles.js';
import { resultOf, resultOfError, type ToolResult } from '../mcp/tool-result.js';
import { progressEveryMs } from '../contract/progress.js';
import { isAboutKey, type HubConnection } from './hub-connection.js';
import { criticalOperation, openThenWait } from './open-then-wait.js';
import { planCall, type CallPlan, type PlanPorts } from './plan-call.js';
import { readFileSources } from './read-files.js';
import type { ReplyEvidence } from './reply-evidence.js';
import type { Lease, Settlements } from './settlements.js';
import { ResponseProgress } from './response-progress.js';
import { waitAcrossHubs } from './wait-across-hubs.js';

export interface ForwardPorts extends Pick<PlanPorts, 'newKey' | 'tools'> {
  hub: HubConnection;
  /** The agent of this connection, once the client's name is known. */
  agentFor: (clientName: string | undefined) => Promise<string | undefined>;
  settlements: Settlements;
  evidence: ReplyEvidence;
  /** Overrides the form that the client's profile has. */
  results: ResultForm | undefined;
  /** The longest wait for clients without a profile. */
  waitMsUnknownClient: number;
  /** Encrypts beside the agent; undefined for an agent without a name. */
  sealingFor: (agent: string | undefined) => Sealing | undefined;
  /** The folder whose files may be sent; null for none. */
  filesFolder: string | null;
  /** Aborted when the client is gone, which ends all waits. */
  gone: AbortSignal;
}

export interface ForwardedCall {
  requestId: string | number;
  name: string;
  arguments: Record<string, unknown> | undefined;
  clientName: string | undefined;
  /** Aborted when the client cancels this call. */
  cancelled: AbortSignal;
  progress: ((text: string) => void) | undefined;
}

export async function forwardToolCall(ports: ForwardPorts, call: ForwardedCall): Promise<ToolResult> {
  const form = ports.results ?? profileOf(call.clientName, ports.waitMsUnknownClient).results;
  try {
    // Earlier messages must count as read before the next call runs.
    await ports.settlements.done();
    const agent = await ports.agentFor(call.clientName);
    const given = await readFileSources(call.arguments ?? {}, ports.filesFolder);
    const plan = planCall({ agent, newKey: ports.newKey, tools: ports.tools }, call.name, given);
    const { media, ...output } = await performSealed(ports, call, { plan, agent });
    settleLater(ports, { call, plan, output });
    return resultOf({ ...told(ports, plan, output), media: mediaOf(media) }, form);
  } catch (thrown) {
    const isCancelled = call.cancelled.aborted || ports.gone.aborted;
    const error = isCancelled && !(thrown instanceof HubError) ? callCancelled() : toHubError(thrown);
    return resultOfError(explainError(onStdio(error), ports.tools, call.name), form);
  }
}

/** The hub's hint names an address and a header. */
function onStdio(error: HubError): HubError {
  const { code, message, details } = error;
  if (isAboutKey(error)) {
    const hint =
      'The person who set up coterie mcp gives it a key: COTERIE_KEY in its environment, or --key-file FILE. ' +
      "On the hub's machine, coterie keys create --agent NAME makes one.";
    return new HubError(code, message, { hint, details, cause: error });
  }
  if (code !== 'IDENTITY_REQUIRED') return error;
  const field = typeof details['field'] === 'string' ? details['field'] : 'agentId';
  const hint = `Start coterie mcp with --agent NAME (or --agent auto), or give ${field}.`;
  return new HubError(code, message, { hint, details, cause: error });
}

/** Questions and alerts are encrypted here where the recipients' devices allow it, and answers opened. */
async function performSealed(
  ports: ForwardPorts,
  call: ForwardedCall,
  { plan, agent }: { plan: CallPlan; agent: string | undefined },
): Promise<Record<string, unknown>> {
  const sealing = ports.sealingFor(agent);
  if (sealing === undefined) return perform(ports, call, plan);
  const operation = plan.operation.name;
  const send = (name: string, input: Record<string, unknown>) =>
    ports.hub.request({ operation: name, input, mayRepeat: true, signal: call.cancelled });
  if (plan.parsed !== undefined) {
    const key = plan.isKeyOurs ? { idempotencyKey: plan.input['idempotency_key'] ?? plan.input['idempotencyKey'] } : {};
    const sealed = await sealing.perform(send, { operation, input: { ...plan.parsed, ...key } });
    if (sealed !== undefined) return hideOwnDuplicate(plan, sealed);
  }
  return sealing.open(send, operation, await perform(ports, call, plan));
}

async function perform(ports: ForwardPorts, call: ForwardedCall, plan: CallPlan): Promise<Record<string, unknown>> {
  const { input, mayRepeat, wait } = plan;
  const operation = plan.operation.name;
  if (wait === undefined) {
    return hideOwnDuplicate(plan, await ports.hub.request({ operation, input, mayRepeat, signal: call.cancelled }));
  }
  const profile = profileOf(call.clientName, ports.waitMsUnknownClient);
  const waitMs = Math.min(wait.askedMs, waitLimitOf(profile, call.progress !== undefined));
  const signal = AbortSignal.any([call.cancelled, ports.gone]);
  const responses = new ResponseProgress(ports.hub, plan);
  const stopProgress = reportProgress(call, responses);
  try {
    if (operation === criticalOperation) {
      return hideOwnDuplicate(
        plan,
        await openThenWait(ports.hub, plan, { askedMs: wait.askedMs, waitMs, signal, responses }),
      );
    }
    const output = await waitAcrossHubs(ports.hub, { operation, input, mayRepeat, signal, field: wait.field, waitMs });
    return waitMs < wait.askedMs ? { ...output, clampedToMs: waitMs } : output;
  } finally {
    stopProgress();
  }
}

/** If our retry was a duplicate, the first attempt succeeded: the caller, who called once, sees no duplicate. */
function hideOwnDuplicate({ isKeyOurs }: CallPlan, output: Record<string, unknown>): Record<string, unknown> {
  return isKeyOurs && output['duplicate'] === true ? { ...output, duplicate: false } : output;
}

interface Forwarded {
  call: ForwardedCall;
  plan: CallPlan;
  output: Record<string, unknown>;
}

/** The outcome of the answer decides whether its messages are read, unless the call was already cancelled. */
function settleLater({ evidence, settlements }: ForwardPorts, { call, plan, output }: Forwarded): void {
  const { requestId, cancelled } = call;
  const { lease } = plan;
  const { cursor, messages, responses } = output;
  if (lease === undefined || typeof cursor !== 'string') return;
  const held: Lease = { cursor, ids: idsOf(messages ?? responses), ...lease };
  if (cancelled.aborted) settlements.release(held);
  else evidence.track(requestId, settlements.handlersFor(held));
}

/** Media the hub sends for the model; invalid media is left out. */
function mediaOf(given: unknown): ShownMedia {
  const read = shownMedia.safeParse(given);
  return read.success ? read.data : [];
}

/** Rendered by the contract; JSON if the contract could not parse the input. */
function told(
  { tools }: ForwardPorts,
  { operation, parsed }: CallPlan,
  given: Record<string, unknown>,
): { output: Record<string, unknown>; text: string } {
  if (parsed === undefined) {
    const json = JSON.stringify(given);
    return { output: given, text: [json, ...closingLines(json, given)].join('\n') };
  }
  // Said again here, because the bridge clamps waits and knows which tools its client lists.
  const { next: _, ...output } = given;
  const steps = nextSteps(operation, { output, input: parsed }, tools);
  return { output: withNext(output, steps), text: answerText(operation, { output, input: parsed }, steps) };
}

function reportProgress({ progress, name }: ForwardedCall, responses: ResponseProgress): () => void {
  if (progress === undefined) return () => {};
  const report = async () => progress((await responses.text()) ?? `${name} is still waiting`);
  const timer = setInterval(() => void report(), progressEveryMs);
  return () => clearInterval(timer);
}

function callCancelled(): HubError {
  return new HubError('CANCELLED', 'The call was cancelled.', { hint: 'Call again; no messages were taken.' });
}

function idsOf(messages: unknown): string[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message: unknown) =>
    typeof message === 'object' && message !== null && 'id' in message && typeof message.id === 'string'
      ? [message.id]
      : [],
  );
}
