// An operation's input as JSON Schema, with the field names shown to clients. Kept short, because agents pay per token.
import { z } from 'zod';
import type { Operation } from '../operation.js';

export type JsonSchema = Record<string, Json>;
type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export interface InputSchema {
  type: 'object';
  properties: Record<string, JsonSchema>;
  required?: string[];
}

export function inputSchemaOf(operation: Operation): InputSchema {
  return shownInput(operation, z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }), brief);
}

/** With the shown field names and the caller's field; each property as `describe` returns it. */
export function shownInput(
  operation: Operation,
  schema: z.core.JSONSchema.BaseSchema,
  describe: (property: JsonSchema) => JsonSchema,
): InputSchema {
  const shown = (field: string) => operation.shownAs?.[field] ?? field;
  const caller = operation.callerField;
  const properties: Record<string, JsonSchema> =
    caller === undefined ? {} : { [caller]: { type: 'string', description: 'You' } };
  for (const [field, property] of Object.entries(schema.properties ?? {})) {
    properties[shown(field)] = isSchema(property) ? describe(property) : {};
  }
  const required = (schema.required ?? []).map(shown);
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
}

const omittedKeywords = new Set([
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'propertyNames',
  'additionalProperties',
]);
/** As if left out, so that a reader needs no word of it. */
const emptyDefaults = new Set(['false', '[]', '{}']);

/** The hub enforces and explains patterns and limits; in the schema they would only cost tokens. */
function brief(property: JsonSchema): JsonSchema {
  const { anyOf, description } = property;
  // Content is a string or a list of blocks, a position a cursor or a seq.
  if (Array.isArray(anyOf)) {
    const forms = anyOf.filter(isSchema).map((form) => brief(withoutEnum(form)));
    return { anyOf: forms, ...(description === undefined ? {} : { description }) };
  }
  const kept = Object.entries(property).filter(
    ([keyword, value]) =>
      !omittedKeywords.has(keyword) && !(keyword === 'default' && emptyDefaults.has(JSON.stringify(value))),
  );
  return Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, keyword === 'items' && isSchema(value) ? brief(value) : value]),
  );
}

function withoutEnum(schema: JsonSchema): JsonSchema {
  const { enum: _, ...rest } = schema;
  return rest;
}

/** zod types a JSON Schema by keyword; here it is plain JSON. */
function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
