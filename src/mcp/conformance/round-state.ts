// The state a client sends back from one round of questions to the next, signed against forgery.
import { randomBytes } from 'node:crypto';
import { createRequestStateCodec } from '@modelcontextprotocol/server';

export interface RoundState {
  round: number;
}

const codec = createRequestStateCodec<RoundState>({ key: randomBytes(32) });

export const signState = (state: RoundState): Promise<string> => codec.mint(state);
export const verifyState: typeof codec.verify = (state, context) => codec.verify(state, context);
