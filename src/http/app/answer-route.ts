// POST /app/answer/TOKEN: an answer button in ntfy. The token is all it needs: it gives one answer to one question, as the
// person it was sent to, and nothing else. It comes from other origins and without a key.
import { HubError } from '../../contract/errors.js';
import { operations } from '../../contract/operations/index.js';
import type { Dispatch } from '../../dispatch/dispatch.js';
import { connectionOf } from '../connection-identity.js';
import type { Exchange } from '../exchange.js';

export interface AnswerPorts {
  dispatch: Dispatch;
  /** Throws QUESTION_UNKNOWN for what this hub did not make. */
  readAnswerToken: (token: string) => { sessionId: string; questionId: string; person: string; option: number };
}

const prefix = '/app/answer/';

export function isAnswerPath(path: string): boolean {
  return path.startsWith(prefix);
}

export async function serveAnswer({ dispatch, readAnswerToken }: AnswerPorts, exchange: Exchange): Promise<void> {
  if (exchange.request.method !== 'POST') {
    throw new HubError('METHOD_NOT_ALLOWED', 'An answer is sent with POST.', {
      hint: 'Use the button in ntfy, or answer in the app.',
      details: { allow: 'POST' },
    });
  }
  exchange.request.resume();
  const { sessionId, questionId, person, option } = readAnswerToken(exchange.url.pathname.slice(prefix.length));
  const grant = {
    keyId: 'ntfy',
    signInId: null,
    sessionId,
    agentId: person,
    capabilities: new Set(['signal'] as const),
    expiresAt: null,
    isPerson: true,
    device: { id: '', name: 'ntfy', isVerified: false },
  };
  const { name } = operations.answerQuestion;
  const connection = { ...connectionOf(exchange), grant, agent: person, session: sessionId };
  const outcome = await dispatch({
    operation: name,
    input: { questionId, option },
    connection,
    client: exchange,
    transport: 'http',
  });
  if ('error' in outcome) return exchange.error(outcome.error);
  exchange.json(200, { success: true, questionId });
}
