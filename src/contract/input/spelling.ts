// Maps the field names callers may use (camelCase, snake_case, synonyms) to our own names, and harmless slips in their
// values to what they mean.
import { HubError } from '../errors.js';
import { withoutAt } from '../ids.js';
import { nearest } from './nearest.js';
import { callerSpellings, type Operation } from '../operation.js';
import { textReaderFor, type TextReader } from './slips.js';

export interface SpelledInput {
  fields: Record<string, unknown>;
  /** Our field name → the caller's spelling, for error messages. */
  writtenAs: Map<string, string>;
  /** The caller named in the arguments, if any. */
  claimedCaller?: { id: string; writtenAs: string };
}

/**
 * Renames the caller's fields to our spelling. Unknown fields are refused with the nearest known name; null means not
 * given, as no field takes it.
 */
export function respellInput(operation: Operation, given: Record<string, unknown>): SpelledInput {
  const spelled: SpelledInput = { fields: {}, writtenAs: new Map() };
  for (const [written, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const target = lookUp(operation, written);
    if (target === undefined) throw unknownField(operation, written);
    if (value === null) continue;
    if (target === callerArgument) {
      claimCaller(spelled, written, value);
      continue;
    }
    const { field, readText } = target;
    const before = spelled.writtenAs.get(field);
    if (before !== undefined) {
      if (isSame(given[before], value)) continue;
      throw givenTwice(before, written);
    }
    spelled.fields[field] = readText === undefined || typeof value !== 'string' ? value : readText(value);
    spelled.writtenAs.set(field, written);
  }
  return spelled;
}

const callerArgument = Symbol('caller argument');

interface FieldTarget {
  field: string;
  readText: TextReader | undefined;
}

type Target = FieldTarget | typeof callerArgument;

function isSame(first: unknown, second: unknown): boolean {
  return first === second || JSON.stringify(first) === JSON.stringify(second);
}

/** Calls repeat a few spellings, so lookups are cached. Only known spellings are kept, which bounds the size. */
const targets = new WeakMap<Operation, Map<string, Target>>();

function lookUp(operation: Operation, written: string): Target | undefined {
  let known = targets.get(operation);
  if (known === undefined) {
    known = new Map();
    targets.set(operation, known);
  }
  const before = known.get(written);
  if (before !== undefined) return before;
  const name = camelCase(written);
  const target = namesCaller(operation, name) ? callerArgument : findField(operation, name);
  if (target !== undefined && known.size < spellingsKept) known.set(written, target);
  return target;
}

/** `thread_id`, `thread__id` and so on are all accepted; clients use only a few. */
const spellingsKept = 200;

function camelCase(written: string): string {
  if (!written.includes('_')) return written;
  return written.replace(/(?<=[a-z0-9])_+([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function namesCaller(operation: Operation, name: string): boolean {
  const spelling = callerSpellings.find((known) => known === name);
  return spelling !== undefined && !operation.notCaller?.includes(spelling);
}

function claimCaller(spelled: SpelledInput, written: string, value: unknown): void {
  if (typeof value !== 'string' || value === '') {
    throw new HubError('INVALID_INPUT', `${written}: must be the id of an agent, as a string.`, {
      hint: `Give ${written} as a string, or leave it out if the connection names you.`,
      details: { field: written },
    });
  }
  const id = withoutAt(value);
  const before = spelled.claimedCaller;
  if (before !== undefined && before.id !== id) {
    throw new HubError('IDENTITY_MISMATCH', `${before.writtenAs} says '${before.id}' but ${written} says '${id}'.`, {
      hint: 'Name yourself once.',
      details: { [before.writtenAs]: before.id, [written]: id },
    });
  }
  spelled.claimedCaller ??= { id, writtenAs: written };
}

function findField(operation: Operation, name: string): FieldTarget | undefined {
  const { shape } = operation.input;
  const field = Object.hasOwn(shape, name) ? name : fieldOfSynonym(operation, name);
  return field === undefined ? undefined : { field, readText: textReaderFor(shape[field]) };
}

function fieldOfSynonym(operation: Operation, name: string): string | undefined {
  return Object.entries(operation.synonyms ?? {}).find(([, others]) => others?.includes(name))?.[0];
}

function shownName(operation: Operation, field: string): string {
  return operation.shownAs?.[field] ?? field;
}

/** The names shown to clients, the caller's own included. */
function shownFields(operation: Operation): string[] {
  const fields = Object.keys(operation.input.shape).map((field) => shownName(operation, field));
  return operation.callerField === undefined ? fields : [operation.callerField, ...fields];
}

function unknownField(operation: Operation, written: string): HubError {
  const shown = shownFields(operation);
  const meant = new Map(shown.map((name) => [name, name]));
  for (const [field, names] of Object.entries(operation.synonyms ?? {})) {
    for (const name of names ?? []) meant.set(name, shownName(operation, field));
  }
  // Only a name that the schema shows is suggested, also for one that resembles a synonym of it.
  const near = meant.get(nearest(written, meant.keys())[0] ?? '');
  const known = shown.join(', ');
  return new HubError('UNKNOWN_FIELD', `${operation.name} has no field '${written}'.`, {
    hint: near === undefined ? `Its fields are: ${known}.` : `Did you mean '${near}'? Its fields are: ${known}.`,
    details: { field: written, nearest: near ?? null },
  });
}

function givenTwice(first: string, second: string): HubError {
  return new HubError('INVALID_INPUT', `'${first}' and '${second}' are the same field; it was given twice.`, {
    hint: `Send only one of '${first}' and '${second}'.`,
    details: { field: second },
  });
}
