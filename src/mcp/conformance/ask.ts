// Requests input from the client before the result: an input-required result in 2026, server requests in 2025.
import {
  acceptedContent,
  inputRequired,
  inputResponse,
  type InputRequest,
  type InputRequiredResult,
  type InputResponseView,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { signState, type RoundState } from './round-state.js';

export type Questions = Record<string, InputRequest>;

export interface Asking {
  rounds: readonly Questions[];
  /** Whether the client sends a signed state back between rounds. Required for more than one round. */
  isStateful?: boolean;
}

/** The open questions, or undefined when all are answered. Unanswered questions are asked again. */
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
  return inputRequired({ inputRequests, ...(isStateful ? { requestState: await signState({ round: next }) } : {}) });
}

/** The user's value of one form field; empty if the form was declined. */
export function formValue({ inputResponses }: ServerContext['mcpReq'], key: string, field: string): string {
  const value = acceptedContent(inputResponses, key)?.[field];
  return typeof value === 'string' ? value : '';
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
