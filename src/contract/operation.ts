// An operation says once everything its doors need: MCP, HTTP, OpenAPI, CLI and SDK all read it from here.
import type { z } from 'zod';

export const capabilities = ['send', 'read', 'signal', 'admin'] as const;
export type Capability = (typeof capabilities)[number];

/** The spellings by which a caller may name itself in an argument. */
export const callerSpellings = ['senderId', 'source', 'creatorId', 'agentId'] as const;
export type CallerSpelling = (typeof callerSpellings)[number];

export interface Operation<
  Name extends string = string,
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodObject = z.ZodObject,
> {
  readonly name: Name;
  readonly summary: string;
  /** What a key must be allowed to do. */
  readonly access: Capability;
  /** Whether the operation makes sense without a named agent. */
  readonly caller: 'required' | 'optional';
  /** The caller's argument as shown to clients; every other spelling is accepted too. */
  readonly callerField?: string;
  /** Spellings that mean something else here and therefore never name the caller. */
  readonly notCaller?: readonly CallerSpelling[];
  readonly input: I;
  readonly output: O;
  /** Other names of a field, beside its snake_case form. */
  readonly synonyms?: Partial<Record<keyof I['shape'] & string, readonly string[]>>;
  /** The name shown to clients where agents know the field in snake_case. */
  readonly shownAs?: Partial<Record<keyof I['shape'] & string, string>>;
  readonly effect: 'reads' | 'changes' | 'destroys';
  /** Shown to MCP clients without being asked for. */
  readonly inDefaultProfile: boolean;
  /** What a reader of text sees; the structured result says the same. */
  text(output: z.output<O>, input: z.output<I>): string;
}

export type InputOf<Op> = Op extends Operation<string, infer I> ? z.output<I> : never;
export type OutputOf<Op> = Op extends Operation<string, z.ZodObject, infer O> ? z.output<O> : never;

/** Keeps the literal types of one definition. */
export function defineOperation<Name extends string, I extends z.ZodObject, O extends z.ZodObject>(
  operation: Operation<Name, I, O>,
): Operation<Name, I, O> {
  return operation;
}
