// Asks the client before the answer: as a result to be called again with in 2026, as requests of the server in 2025.
import {
  acceptedContent,
  inputRequired,
  inputResponse,
  type InputRequest,
  type InputRequiredResult,
  type InputResponseView,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { sealState, type RoundState } from './round-state.js';

export type Questions = Record<string, InputRequest>;

export interface Asking {
  rounds: readonly Questions[];
  /** Whether the client carries a signed state between the rounds. More than one round cannot do without. */
  isStateful?: boolean;
}

/** The questions still open, or undefined when all are answered. What was asked and not answered is asked again. */
export async function ask(
  { rounds, isStateful = false }: Asking,
  request: ServerContext['mcpReq'],
): Promise<InputRequiredResult | undefined> {
  const state = request.requestState<RoundState>();
  const round = state?.round ?? 0;
  const isAnswered =
    (state !== undefined || !isStateful) &&
    Object.keys(rounds[round] ?? {}).every((key) => inputResponse(request.inputResponses, key).kind !== 'missing');
  const next = isAnswered ? round + 1 : round;
  const inputRequests = rounds[next];
  if (inputRequests === undefined) return undefined;
  return inputRequired({ inputRequests, ...(isStateful ? { requestState: await sealState({ round: next }) } : {}) });
}

/** What the user wrote into one field of a form; nothing if it was declined. */
export function writtenIn({ inputResponses }: ServerContext['mcpReq'], key: string, field: string): string {
  const written = acceptedContent(inputResponses, key)?.[field];
  return typeof written === 'string' ? written : '';
}

/** One reply as text. */
export function describeReply(reply: InputResponseView): string {
  switch (reply.kind) {
    case 'elicit':
      return `action=${reply.action}, content=${JSON.stringify(reply.content ?? {})}`;
    case 'sampling':
      return JSON.stringify(reply.result.content);
    case 'roots':
      return reply.roots.map(({ uri }) => uri).join(', ');
    case 'missing':
      return 'nothing';
  }
}
