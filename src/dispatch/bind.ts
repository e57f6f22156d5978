// Binds an operation's contract to the code that performs it.
import type { z } from 'zod';
import type { ShownMedia } from '../contract/shown-media.js';
import type { Envelope } from '../contract/signal/signal.js';
import type { Operation } from '../contract/operation.js';
import type { Caller } from '../ports/caller.js';
import type { ReplyOutcome } from '../ports/reply-outcome.js';
import type { Call } from './call.js';

/** What the code that performs an operation may need of the call besides its input. */
export type CallContext = Pick<Call, 'client' | 'waitMsMax' | 'progress' | 'model'>;

export interface Performed<Output> {
  output: Output;
  /** Set when the answer hands out messages: they become read when it arrives. */
  replyOutcome?: ReplyOutcome;
  /** A last step on the complete answer. */
  finish?(output: Output): Output | Promise<Output>;
  /** The caller's number of unread waking copies, if the store call returned it; counted separately otherwise. */
  unread?: number;
  /** Media shown to a model beside the answer. */
  media?: ShownMedia;
  /** Answers in the output that only the caller's program can open, by question. */
  sealed?: Record<string, Envelope>;
  /** Size of attachment data in the output and the media. */
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
  // The type parameters are erased here: dispatch parses the input with this same operation before it calls perform.
  return { operation, perform };
}
