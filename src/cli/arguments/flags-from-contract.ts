// An operation's flags, made from its input schema: each field under its own name, and under the friendlier ones that
// a command's table adds. A new field in the contract is a new flag here, without a line of code.
import { inputSchemaOf, type JsonSchema } from '../../contract/input-schema.js';
import type { Operation } from '../../contract/operation.js';
import { readYesOrNo, type Flag } from './flag.js';

/** A friendlier name for a field, with another way to write its value if need be. */
export type Friendly<Op extends Operation> = Pick<Flag, 'name' | 'help' | 'value' | 'allowed' | 'read'> & {
  readonly field: keyof Op['input']['shape'] & string;
};

/** `second` names fields that a command has another place for, or no use: accepted, but not spelled out in help. */
export function flagsFromContract<Op extends Operation>(
  operation: Op,
  friendly: readonly Friendly<Op>[] = [],
  second: readonly (keyof Op['input']['shape'] & string)[] = [],
): Flag[] {
  const { properties } = inputSchemaOf(operation);
  const preferred = friendly.map(({ field, ...given }): Flag => {
    const shown = operation.shownAs?.[field] ?? field;
    const [own] = flagsOfField(shown, properties[shown] ?? {});
    // A table's own reading of the value replaces what the schema says about it.
    const inherited = given.read === undefined ? own : { name: given.name, help: given.help };
    return { ...inherited, ...given, help: given.help, field: shown, isSecond: false };
  });
  const taken = new Set(preferred.map(({ name }) => name));
  // `--as` says who calls; the field that says it too is for those who know the contract.
  const others = [...second.map((field) => operation.shownAs?.[field] ?? field), operation.callerField];
  const named = new Set([...preferred.map(({ field }) => field), ...others]);
  const own = Object.entries(properties)
    .flatMap(([shown, schema]) => flagsOfField(shown, schema))
    .filter(({ name }) => !taken.has(name))
    .map((flag) => (named.has(flag.field) ? { ...flag, isSecond: true } : flag));
  return [...preferred, ...own];
}

/** A field's flag; a switch that is on by default has a second that turns it off. */
function flagsOfField(shown: string, schema: JsonSchema): Flag[] {
  const name = kebabCase(shown);
  const help = typeof schema['description'] === 'string' ? lowerFirst(schema['description']) : '';
  const flag: Flag = { name, help, field: shown, ...formOf(schema) };
  if (schema['type'] !== 'boolean' || schema['default'] !== true) return [flag];
  const off: Flag = {
    name: `no-${name}`,
    help: help || `turns ${name} off`,
    field: shown,
    read: negate,
    allowed: yesOrNo,
  };
  return [off, { ...flag, isSecond: true }];
}

const yesOrNo = 'true or false';

function negate(value: string): boolean | undefined {
  const isOn = readYesOrNo(value);
  return isOn === undefined ? undefined : !isOn;
}

type Form = Pick<Flag, 'value' | 'allowed' | 'words' | 'read' | 'isList'>;

function formOf(schema: JsonSchema): Form {
  const choices = schema['anyOf'];
  if (Array.isArray(choices))
    return formOfChoice(choices.flatMap((choice) => (isSchema(choice) ? choice['type'] : [])));
  if (Array.isArray(schema['enum'])) return wordForm(schema['enum'].map(String));
  switch (schema['type']) {
    case 'boolean':
      return { allowed: yesOrNo, read: readYesOrNo };
    case 'integer':
      return {
        value: 'N',
        allowed: 'a whole number',
        read: (value) => (/^-?\d{1,15}$/.test(value) ? Number(value) : undefined),
      };
    case 'number':
      return { value: 'N', allowed: 'a number', read: readNumber };
    case 'array':
      return { value: 'A,B', allowed: 'names with commas, or a JSON array', read: readList, isList: true };
    case 'object':
      return { value: 'JSON', allowed: 'a JSON object', read: readJsonObject };
    default:
      return { value: 'TEXT' };
  }
}

/** Text beside something else: digits are the number, where there is one; all else is the text. */
function formOfChoice(types: readonly unknown[]): Form {
  if (!types.includes('integer')) return { value: 'TEXT' };
  return { value: 'PLACE', read: (value) => (/^\d{1,15}$/.test(value) ? Number(value) : value) };
}

function wordForm(words: readonly string[]): Form {
  const read = (value: string) => words.find((word) => word.toLowerCase() === value.toLowerCase());
  return { value: words.length <= 3 ? words.join('|') : 'WORD', words, allowed: words.join(', '), read };
}

function readNumber(value: string): number | undefined {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function readList(value: string): unknown[] | undefined {
  if (!value.startsWith('[')) return value.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  const parsed = parseJson(value);
  return Array.isArray(parsed) ? parsed : undefined;
}

export function readJsonObject(value: string): Record<string, unknown> | undefined {
  const parsed = parseJson(value);
  return isRecord(parsed) ? parsed : undefined;
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** Descriptions begin as sentences, help does not. */
function lowerFirst(text: string): string {
  return text.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
}

/** threadId, message_type → thread-id, message-type */
function kebabCase(shown: string): string {
  return shown.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSchema(value: JsonSchema[string]): value is JsonSchema {
  return isRecord(value);
}
