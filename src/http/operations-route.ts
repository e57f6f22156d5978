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
  const input = await readJson(exchange.request);
  exchange.followsEarlierAnswers();
  const model = modelReaderOf(exchange);
  const outcome = await dispatch({
    operation,
    input,
    connection: connectionOf(exchange),
    client: exchange,
    door: 'http',
    ...(model === undefined ? {} : { model }),
  });
  if ('error' in outcome) return exchange.error(outcome.error);
  exchange.carries(outcome.answer.fate);
  exchange.json(200, outcome.answer.output);
}
