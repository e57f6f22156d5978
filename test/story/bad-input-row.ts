// What callers get wrong, row by row: the call, the code, and what the refusal must name. In a field, OPEN and CLOSED
// stand for the ids of such threads.
import type { ErrorCode } from '../../dist/contract/index.js';

export type Fields = Record<string, unknown>;
/** The last entry is who calls: ann when left out, null for a connection without a name. */
export type Row = [
  what: string,
  operation: string,
  input: Fields,
  code: ErrorCode,
  says: RegExp,
  caller?: string | null,
];

export const x = (count: number) => 'x'.repeat(count);
export const forged = (...fields: unknown[]) => Buffer.from(JSON.stringify(fields)).toString('base64url');
/** To ben, with what is wrong. */
export const direct = (fields: Fields) => ({ target: 'ben', message: 'x', ...fields });
/** Into the open thread, with what is wrong. */
export const posted = (fields: Fields) => ({ threadId: 'OPEN', content: 'x', ...fields });

/** To ben, asking for one answer, with what is wrong. */
export const asked = (fields: Fields) => ({ title: 'a', participants: ['ben'], initial_message: 'x', ...fields });
