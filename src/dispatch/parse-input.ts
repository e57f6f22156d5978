// Validates a call's fields once, at the edge. Errors name a field the way the caller wrote it.
import { safeParse, type z } from 'zod';
import { HubError } from '../contract/errors.js';
import type { Operation } from '../contract/operation.js';
import type { SpelledInput } from '../contract/input/spelling.js';

export function parseInput(operation: Operation, spelled: SpelledInput): Record<string, unknown> {
  const parsed = validate(operation, spelled);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue === undefined) throw new Error('zod reported no issue');
  throw invalidInput(operation, spelled, issue);
}

/** Zod compares the `length` of any value with a limit, and a length without a primitive value throws there. */
function validate(operation: Operation, spelled: SpelledInput): z.ZodSafeParseResult<Record<string, unknown>> {
  try {
    return operation.input.safeParse(spelled.fields);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const shape: z.core.$ZodShape = operation.input.shape;
    const field = Object.entries(shape).find(([name, schema]) => throws(schema, spelled.fields[name]));
    throw invalidInput(operation, spelled, {
      code: 'custom',
      path: field === undefined ? [] : [field[0]],
      message: 'must not have an object as its length',
      input: undefined,
    });
  }
}

function throws(schema: z.core.$ZodType, value: unknown): boolean {
  try {
    safeParse(schema, value);
    return false;
  } catch {
    return true;
  }
}

function invalidInput(operation: Operation, spelled: SpelledInput, issue: z.core.$ZodIssue): HubError {
  const [field, ...rest] = issue.path;
  const name = String(field ?? '');
  const written = spelled.writtenAs.get(name) ?? operation.shownAs?.[name] ?? name;
  const path = `${written}${rest.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')}`;
  const isMissing = field !== undefined && !(name in spelled.fields);
  const problem = isMissing ? 'is required' : describe(issue);
  return new HubError(
    isTooLarge(issue) ? 'TOO_LARGE' : 'INVALID_INPUT',
    `${path === '' ? operation.name : path}: ${problem}.`,
    {
      hint: isMissing ? `Call ${operation.name} again with ${path}.` : `Fix ${path} and call ${operation.name} again.`,
      details: { field: path, problem },
    },
  );
}

function describe(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.startsWith('must') ? issue.message : `must be ${withArticle(issue.expected)}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map((value) => String(value)).join(', ')}`;
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'must not be empty'
        : `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`;
    case 'invalid_union':
      return issue.message;
    case 'invalid_format':
    case 'custom':
    case 'not_multiple_of':
    case 'unrecognized_keys':
    case 'invalid_key':
    case 'invalid_element':
      return issue.message;
  }
}

/** Set by the content schema: the field is valid but too large. */
function isTooLarge(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'custom' && issue.params?.['isTooLarge'] === true;
}

function withArticle(type: string): string {
  const names: Record<string, string> = {
    int: 'a whole number',
    record: 'an object',
    array: 'a list',
    object: 'an object',
  };
  return names[type] ?? `a ${type}`;
}
