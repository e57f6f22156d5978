// An operation's definition, used by MCP, HTTP, OpenAPI, CLI and SDK.
import type { z } from 'zod';

export const capabilities = ['send', 'read', 'signal', 'admin'] as const;
export type Capability = (typeof capabilities)[number];

/** An observer reads the session's threads that are not private, and nothing else. */
export const keyCapabilities = [...capabilities, 'observer'] as const;
export type KeyCapability = (typeof keyCapabilities)[number];

/** An admin has every capability. */
export function isCapable(held: ReadonlySet<KeyCapability>, capability: Capability): boolean {
  return held.has(capability) || held.has('admin');
}

/** The arguments in which a caller may name itself. */
export const callerSpellings = ['senderId', 'source', 'creatorId', 'agentId'] as const;
export type CallerSpelling = (typeof callerSpellings)[number];

export interface Operation<
  Name extends string = string,
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodObject = z.ZodObject,
> {
  readonly name: Name;
  readonly summary: string;
  /** The capability a key needs. */
  readonly access: Capability;
  /** Observers may call it too: it shows only what is in threads that are not private. */
  readonly forObservers?: true;
  /** Whether the operation needs a named agent. */
  readonly caller: 'required' | 'optional';
  /** The caller argument shown to clients; the other spellings are accepted too. */
  readonly callerField?: string;
  /** Caller spellings that have another meaning in this operation. */
  readonly notCaller?: readonly CallerSpelling[];
  readonly input: I;
  readonly output: O;
  /** Other names of a field, besides its snake_case form. */
  readonly synonyms?: Partial<Record<keyof I['shape'] & string, readonly string[]>>;
  /** The name shown to clients, for fields that agents know in snake_case. */
  readonly shownAs?: Partial<Record<keyof I['shape'] & string, string>>;
  readonly effect: 'reads' | 'changes' | 'destroys';
  /** For a program beside the agent: the call shows neither that the agent is there nor that a wake reached it. */
  readonly doesNotCount?: true;
  /** Listed for MCP clients by default. */
  readonly inDefaultProfile: boolean;
  /** The result as text, with the same content as the structured result. */
  text(output: z.output<O>, input: z.output<I>): string;
  /** What the reader should do next. Ends the text, and is `next` in the structured result. */
  next?(output: z.output<O>, input: z.output<I>): string[];
}

/** The one rule for calls and for lists of tools. */
export function mayCall(operation: Operation, held: ReadonlySet<KeyCapability>): boolean {
  if (held.has('observer')) return operation.forObservers === true;
  return isCapable(held, operation.access);
}

export type InputOf<Op> = Op extends Operation<string, infer I> ? z.output<I> : never;
export type OutputOf<Op> = Op extends Operation<string, z.ZodObject, infer O> ? z.output<O> : never;

/** Infers the literal types of a definition. */
export function defineOperation<Name extends string, I extends z.ZodObject, O extends z.ZodObject>(
  operation: Operation<Name, I, O>,
): Operation<Name, I, O> {
  return operation;
}
