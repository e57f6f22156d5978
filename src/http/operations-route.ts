// POST /v1/<operation>: the operation's input as JSON, its structured result as body.
import { HubError } from '../contract/errors.js';
import type { Dispatch } from '../dispatch/dispatch.js';
import { connectionOf } from './connection-identity.js';
import type { Exchange } from './exchange.js';
import { modelReaderOf } from './model-reader.js';
import { readJson } from './read-body.js';

export async function serveOperation(dispatch: Dispatch, exchange: Exchange, operation: string): Promise<void> {
  if (exchange.request.method !== 'POST') {
    throw new HubError('METHOD_NOT_ALLOWED', `${operation} is called with POST.`, {
      hint: `POST the input as JSON to /v1/${operation}.`,
      details: { allow: 'POST' },
    });
  }
  const input = await readJson(exchange);
  exchange.confirmEarlierResponses();
  const model = modelReaderOf(exchange);
  const outcome = await dispatch({
    operation,
    input,
    connection: connectionOf(exchange),
    client: exchange,
    transport: 'http',
    ...(model === undefined ? {} : { model }),
    ...waitLimitOf(exchange),
  });
  if ('error' in outcome) return exchange.error(outcome.error);
  const { replyOutcome, output, media, dataBytes } = outcome.answer;
  exchange.trackOutcome(replyOutcome);
  // `media` is only set for a request that asked for a model's view of the answer.
  await exchange.jsonWithData(200, media.length === 0 ? output : { ...output, media }, dataBytes);
}

const waitHeader = 'coterie-wait-ms';

/** A proxy such as the bridge reports how long its own client can wait; a longer wait is clamped, as over MCP. */
function waitLimitOf(exchange: Exchange): { waitMsMax?: number } {
  const given = exchange.header(waitHeader);
  if (given === undefined) return {};
  if (/^\d{1,9}$/.test(given)) return { waitMsMax: Number(given) };
  throw new HubError('INVALID_INPUT', `${waitHeader}: must be a whole number of milliseconds.`, {
    hint: `Fix the header ${waitHeader}, or leave it out to wait as long as asked.`,
    details: { field: waitHeader },
  });
}
