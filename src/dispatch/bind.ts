// Joins an operation's contract to the code that performs it.
import type { z } from 'zod';
import type { ShownMedia } from '../contract/shown-media.js';
import type { Operation } from '../contract/operation.js';
import type { Caller } from '../ports/caller.js';
import type { ReplyOutcome } from '../ports/reply-outcome.js';
import type { Call } from './call.js';

/** What performing may need to know about the call beside its input. */
export type CallContext = Pick<Call, 'client' | 'waitMsMax' | 'progress' | 'model'>;

export interface Performed<Output> {
  output: Output;
  /** Set when the answer hands out messages: they become read when it arrives. */
  replyOutcome?: ReplyOutcome;
  /** A last step on the answer, when it is whole. */
  finish?(output: Output): Output;
  /** The caller's waking mail, where the store has just told; asked for otherwise. */
  unread?: number;
  /** What a model is shown beside the answer. */
  media?: ShownMedia;
  /** How much data of attachments is in the output or the media. */
  dataBytes?: number;
}

export interface BoundOperation {
  operation: Operation;
  perform(
    caller: Caller,
    input: Record<string, unknown>,
    context: CallContext,
  ): Promise<Performed<Record<string, unknown>>>;
}

export function bind<Name extends string, I extends z.ZodObject, O extends z.ZodObject>(
  operation: Operation<Name, I, O>,
  perform: (caller: Caller, input: z.output<I>, context: CallContext) => Promise<Performed<z.output<O>>>,
): BoundOperation {
  // One generic pair in, one plain pair out: dispatch parses the input with this very operation before it calls.
  return { operation, perform };
}
