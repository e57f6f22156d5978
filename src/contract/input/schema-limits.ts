// Limits that are read when a call is parsed, for documents that describe them: a refinement has no keyword in JSON Schema.
import { z } from 'zod';
import { limits, type Limits } from '../limits.js';

type LimitName = keyof Limits;

/** A keyword of JSON Schema and the limit that is its value; `maxBytes` has none and is said in words. */
export interface SchemaLimits {
  readonly maxLength?: LimitName;
  readonly maxItems?: LimitName;
  readonly minimum?: LimitName;
  readonly maximum?: LimitName;
  readonly maxBytes?: LimitName;
}

const registry = z.registry<SchemaLimits>();

/** Notes the limits that a refinement of this schema enforces. */
export function limited<Schema extends z.ZodType>(schema: Schema, given: SchemaLimits): Schema {
  registry.add(schema, given);
  return schema;
}

/** With their values, after the settings were applied. */
export function limitsOf(schema: z.core.$ZodType): Partial<Record<keyof SchemaLimits, number>> {
  const given = Object.entries(registry.get(schema) ?? {});
  return Object.fromEntries(given.map(([keyword, name]: [string, LimitName]) => [keyword, limits[name]]));
}
