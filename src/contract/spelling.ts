// How callers may write a field: camelCase, snake_case or a synonym, all becoming the one name our code uses.
import { HubError } from './errors.js';
import { nearest } from './nearest.js';
import { callerSpellings, type Operation } from './operation.js';

export interface SpelledInput {
  fields: Record<string, unknown>;
  /** Our name of a field → the way the caller wrote it, so that an error can quote it. */
  writtenAs: Map<string, string>;
  /** The agent the arguments name as the caller, if they do. */
  claimedCaller?: { id: string; writtenAs: string };
}

/** Reads what a caller wrote into our spelling. Unknown fields are refused with the nearest known name. */
export function respellInput(operation: Operation, given: Record<string, unknown>): SpelledInput {
  const spelled: SpelledInput = { fields: {}, writtenAs: new Map() };
  for (const [written, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const field = meaningOf(operation, written);
    if (field === undefined) throw unknownField(operation, written);
    if (field === theCaller) {
      claimCaller(spelled, written, value);
      continue;
    }
    const before = spelled.writtenAs.get(field);
    if (before !== undefined) throw givenTwice(before, written);
    spelled.fields[field] = value;
    spelled.writtenAs.set(field, written);
  }
  return spelled;
}

const theCaller = Symbol('the caller');

type Meaning = string | typeof theCaller;

/** Every call spells the same few names, so they are looked up once. Only known ones are kept: their number is bounded. */
const meanings = new WeakMap<Operation, Map<string, Meaning>>();

function meaningOf(operation: Operation, written: string): Meaning | undefined {
  let known = meanings.get(operation);
  if (known === undefined) {
    known = new Map();
    meanings.set(operation, known);
  }
  const before = known.get(written);
  if (before !== undefined) return before;
  const name = camelCase(written);
  const meaning = namesTheCaller(operation, name) ? theCaller : fieldCalled(operation, name);
  if (meaning !== undefined && known.size < spellingsKept) known.set(written, meaning);
  return meaning;
}

/** `thread_id`, `thread__id` and so on are all read; no one uses more than a few. */
const spellingsKept = 200;

function camelCase(written: string): string {
  if (!written.includes('_')) return written;
  return written.replace(/(?<=[a-z0-9])_+([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function namesTheCaller(operation: Operation, name: string): boolean {
  const spelling = callerSpellings.find((known) => known === name);
  return spelling !== undefined && !operation.notCaller?.includes(spelling);
}

function claimCaller(spelled: SpelledInput, written: string, value: unknown): void {
  if (typeof value !== 'string' || value === '') {
    throw new HubError('INVALID_INPUT', `${written}: must be the id of an agent, as text.`, {
      hint: `Give ${written} as a string, or leave it out when the connection carries your name.`,
      details: { field: written },
    });
  }
  const before = spelled.claimedCaller;
  if (before !== undefined && before.id !== value) {
    throw new HubError('IDENTITY_MISMATCH', `${before.writtenAs} says '${before.id}' but ${written} says '${value}'.`, {
      hint: 'Name yourself once.',
      details: { [before.writtenAs]: before.id, [written]: value },
    });
  }
  spelled.claimedCaller ??= { id: value, writtenAs: written };
}

function fieldCalled(operation: Operation, name: string): string | undefined {
  if (Object.hasOwn(operation.input.shape, name)) return name;
  for (const [field, others] of Object.entries(operation.synonyms ?? {})) {
    if (others?.includes(name)) return field;
  }
  return undefined;
}

/** The names shown to clients, the caller's own included. */
function shownFields(operation: Operation): string[] {
  const fields = Object.keys(operation.input.shape).map((field) => operation.shownAs?.[field] ?? field);
  return operation.callerField === undefined ? fields : [operation.callerField, ...fields];
}

function unknownField(operation: Operation, written: string): HubError {
  const synonyms = Object.values(operation.synonyms ?? {}).flatMap((names) => names ?? []);
  const [near] = nearest(written, [...shownFields(operation), ...synonyms]);
  const known = shownFields(operation).join(', ');
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
