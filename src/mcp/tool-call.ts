// Performs one tools/call, from the fast path or the SDK. The outcome of its response decides whether messages are read.
import { HubError } from '../contract/errors.js';
import { shownToKey, shownTools, type ShownTools } from '../contract/shown-tools.js';
import type { Dispatch } from '../dispatch/dispatch.js';
import { connectionOf } from '../http/connection-identity.js';
import type { Exchange } from '../http/exchange.js';
import { conversationOf } from '../http/model-reader.js';
import type { Grant } from '../ports/caller.js';
import type { ReplyOutcome } from '../ports/reply-outcome.js';
import type { Cancellations, KeptAnswer } from './cancellations.js';
import { isResultForm, profileOf, waitLimitOf } from './client-profiles.js';
import { clientNameOf, labelHeader } from './session-label.js';
import { resultOf, resultOfError, type ToolResult } from './tool-result.js';

export interface ToolCallPorts {
  dispatch: Dispatch;
  cancellations: Cancellations;
  /** The longest wait for clients without a profile. */
  waitMsUnknownClient: number;
  /** The token budget of one result. */
  resultTokens: number;
}

export interface ToolCall {
  requestId: string | number;
  name: string;
  arguments: unknown;
  /** Set in the 2026 era, where every request contains it. */
  clientName?: string | undefined;
  clientTitle?: string | undefined;
  progress?: ((text: string) => void) | undefined;
}

function formUnknown(given: string): HubError {
  return new HubError('INVALID_INPUT', `results in the address has the value '${given.slice(0, 40)}'.`, {
    hint: 'Connect with results=text or results=both, or leave it out.',
    details: { field: 'results' },
  });
}

function cancelledBefore(): HubError {
  return new HubError('CANCELLED', 'This call was cancelled before it arrived.', {
    hint: 'Call again; no messages were taken.',
  });
}

const listAll = 'Connect with ?tools=all in the address to list every tool.';
export const defaultTools = shownTools(null, listAll);

/** What `?tools=` lists, `all` or names, as far as the key may call it. */
export function toolsShownTo(exchange: Exchange): ShownTools {
  const requested = exchange.query('tools');
  const shown = requested === null ? defaultTools : shownTools(requested, listAll);
  return exchange.grant === null ? shown : shownToGrant(shown, exchange.grant);
}

/** A grant lives as long as its key's place in the cache. */
const defaultToolsOf = new WeakMap<Grant, ShownTools>();

function shownToGrant(shown: ShownTools, grant: Grant): ShownTools {
  if (shown !== defaultTools) return shownToKey(shown, grant.capabilities);
  let known = defaultToolsOf.get(grant);
  if (known === undefined) defaultToolsOf.set(grant, (known = shownToKey(shown, grant.capabilities)));
  return known;
}

export async function callTool(ports: ToolCallPorts, exchange: Exchange, call: ToolCall): Promise<ToolResult> {
  const label = exchange.header(labelHeader);
  const clientName = call.clientName ?? clientNameOf(label);
  const profile = profileOf(clientName, ports.waitMsUnknownClient);
  const asked = exchange.query('results') ?? profile.results;
  if (!isResultForm(asked)) return resultOfError(formUnknown(asked), profile.results);
  const wasCancelled =
    label !== undefined && ports.cancellations.expect(label, call.requestId, () => exchange.cancel());
  if (wasCancelled) {
    exchange.cancel();
    return resultOfError(cancelledBefore(), asked);
  }
  const outcome = await ports.dispatch({
    operation: call.name,
    input: call.arguments,
    connection: connectionOf(exchange, { clientTitle: call.clientTitle ?? clientName }),
    client: exchange,
    transport: 'mcp',
    model: { tokensMax: ports.resultTokens, conversation: conversationOf(exchange, label) },
    tools: toolsShownTo(exchange),
    waitMsMax: waitLimitOf(profile, call.progress !== undefined),
    ...(call.progress === undefined ? {} : { progress: call.progress }),
  });
  if ('error' in outcome) {
    if (label !== undefined) ports.cancellations.forget(label, call.requestId);
    return resultOfError(outcome.error, asked);
  }
  const { replyOutcome } = outcome.answer;
  if (replyOutcome !== null) {
    exchange.trackOutcome(replyOutcome);
    if (label !== undefined) ports.cancellations.keep(label, call.requestId, keptAnswer(exchange, replyOutcome));
  } else if (label !== undefined) ports.cancellations.forget(label, call.requestId);
  return resultOf(outcome.answer, asked);
}

/** A cancellation may arrive for ten more minutes; what it needs is kept, not the whole exchange. */
function keptAnswer(exchange: Exchange, outcome: ReplyOutcome): KeptAnswer {
  const answer = { isWritten: false, outcome };
  exchange.onWritten(() => (answer.isWritten = true));
  return answer;
}
