// Generates an operation's flags from its input schema: one flag per field, plus the aliases that a command defines. A
// new field in the contract becomes a flag without further code.
import { inputSchemaOf, type JsonSchema } from '../../contract/input/input-schema.js';
import type { Operation } from '../../contract/operation.js';
import { readYesOrNo, type Flag } from './flag.js';

/** A shorter name for a field, with its own value parser if needed. */
export type FlagAlias<Op extends Operation> = Pick<Flag, 'name' | 'help' | 'value' | 'allowed' | 'read'> & {
  readonly field: keyof Op['input']['shape'] & string;
};

/** `secondary` fields are set elsewhere by the command, or not useful in it: accepted, but not described in help. */
export function flagsFromContract<Op extends Operation>(
  operation: Op,
  aliases: readonly FlagAlias<Op>[] = [],
  secondary: readonly (keyof Op['input']['shape'] & string)[] = [],
): Flag[] {
  const { properties } = inputSchemaOf(operation);
  const preferred = aliases.map(({ field, ...given }): Flag => {
    const shown = operation.shownAs?.[field] ?? field;
    const [own] = flagsOfField(shown, properties[shown] ?? {});
    // An alias with its own parser replaces what the schema says about the value.
    const inherited = given.read === undefined ? own : { name: given.name, help: given.help };
    return { ...inherited, ...given, help: given.help, field: shown, isSecondary: false };
  });
  const taken = new Set(preferred.map(({ name }) => name));
  // `--as` names the caller; the contract's own caller field is secondary.
  const others = [...secondary.map((field) => operation.shownAs?.[field] ?? field), operation.callerField];
  const named = new Set([...preferred.map(({ field }) => field), ...others]);
  const own = Object.entries(properties)
    .flatMap(([shown, schema]) => flagsOfField(shown, schema))
    .filter(({ name }) => !taken.has(name))
    .map((flag) => (named.has(flag.field) ? { ...flag, isSecondary: true } : flag));
  return [...preferred, ...own];
}

/** A field's flag. A switch that is on by default gets a `--no-` flag, and its own becomes secondary. */
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
  return [off, { ...flag, isSecondary: true }];
}

const yesOrNo = 'true or false';

function negate(value: string): boolean | undefined {
  const isOn = readYesOrNo(value);
  return isOn === undefined ? undefined : !isOn;
}

type Form = Pick<Flag, 'value' | 'allowed' | 'choices' | 'read' | 'isList'>;

function formOf(schema: JsonSchema): Form {
  const choices = schema['anyOf'];
  if (Array.isArray(choices))
    return formOfChoice(choices.flatMap((choice) => (isSchema(choice) ? choice['type'] : [])));
  if (Array.isArray(schema['enum'])) return enumForm(schema['enum'].map(String));
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
      return { value: 'A,B', allowed: 'comma-separated names, or a JSON array', read: readList, isList: true };
    case 'object':
      return { value: 'JSON', allowed: 'a JSON object', read: readJsonObject };
    default:
      return { value: 'TEXT' };
  }
}

/** A union with text: digits become a number if the union has one; anything else is text. */
function formOfChoice(types: readonly unknown[]): Form {
  if (!types.includes('integer')) return { value: 'TEXT' };
  return { value: 'POSITION', read: (value) => (/^\d{1,15}$/.test(value) ? Number(value) : value) };
}

function enumForm(choices: readonly string[]): Form {
  const read = (value: string) => choices.find((choice) => choice.toLowerCase() === value.toLowerCase());
  return { value: choices.length <= 3 ? choices.join('|') : 'VALUE', choices, allowed: choices.join(', '), read };
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

/** Descriptions begin with a capital letter, help does not. */
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
