// An operation's input as JSON Schema, under the names shown to clients. Short: agents pay for every token of it.
import { z } from 'zod';
import type { Operation } from './operation.js';

export type JsonSchema = Record<string, Json>;
type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export interface InputSchema {
  type: 'object';
  properties: Record<string, JsonSchema>;
  required?: string[];
}

export function inputSchemaOf(operation: Operation): InputSchema {
  const schema = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' });
  const shown = (field: string) => operation.shownAs?.[field] ?? field;
  const caller = operation.callerField;
  const properties: Record<string, JsonSchema> =
    caller === undefined ? {} : { [caller]: { type: 'string', description: 'You' } };
  for (const [field, property] of Object.entries(schema.properties ?? {})) {
    properties[shown(field)] = isSchema(property) ? brief(property) : {};
  }
  const required = (schema.required ?? []).map(shown);
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
}

const costlyKeywords = new Set([
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'propertyNames',
  'additionalProperties',
]);

/** Patterns and outer bounds are enforced and explained by the hub; in the schema they only cost tokens. */
function brief(property: JsonSchema): JsonSchema {
  const { anyOf, description } = property;
  // Said by hand where the schema's own form would mislead: content is a string or blocks.
  if (anyOf !== undefined) return description === undefined ? { anyOf } : { anyOf, description };
  const kept = Object.entries(property).filter(([keyword]) => !costlyKeywords.has(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, keyword === 'items' && isSchema(value) ? brief(value) : value]),
  );
}

/** A JSON Schema is JSON; zod types it by keyword. */
function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
