// The state a client carries from one round of questions to the next, signed so that it cannot be forged.
import { randomBytes } from 'node:crypto';
import { createRequestStateCodec } from '@modelcontextprotocol/server';

export interface RoundState {
  round: number;
}

const codec = createRequestStateCodec<RoundState>({ key: randomBytes(32) });

export const sealState = (state: RoundState): Promise<string> => codec.mint(state);
export const verifyState: typeof codec.verify = (state, context) => codec.verify(state, context);
