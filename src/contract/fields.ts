// Field schemas shared by operations. Limits are read when a call is parsed, after the settings were applied.
import { z } from 'zod';
import { limits, type Limits } from './limits.js';
import { limited } from './input/schema-limits.js';

/** Text with a length limit. */
export function text(limit: keyof Limits): z.ZodString {
  const schema = storable(z.string()).refine((given) => given.length <= limits[limit], {
    error: () => `must be at most ${limits[limit]} characters`,
  });
  return limited(schema, { maxLength: limit });
}

/** SQLite ends a text at its first NUL: the rest would be lost silently. */
function storable(schema: z.ZodString): z.ZodString {
  return schema.refine((given) => !given.includes('\0'), { error: 'must not contain a NUL character' });
}

/** Non-blank text. */
export function filledText(limit: keyof Limits): z.ZodString {
  return text(limit).regex(/\S/, { error: 'must not be empty' });
}

/** Background of a message or a question. */
export const contextText = limited(
  z.string().refine((given) => byteLength(given) <= limits.contextBytes, {
    error: () => `must be at most ${limits.contextBytes} bytes`,
  }),
  { maxBytes: 'contextBytes' },
);

/** An arbitrary object with a limit on its JSON size. */
export function jsonObject(limit: keyof Limits): z.ZodRecord<z.ZodString, z.ZodUnknown> {
  const schema = z.record(z.string(), z.unknown());
  const refined = schema.refine((given) => byteLength(JSON.stringify(given)) <= limits[limit], {
    error: () => `must be at most ${limits[limit]} bytes of JSON`,
  });
  return limited(refined, { maxBytes: limit });
}

export function list<Item extends z.ZodType>(item: Item, limit: keyof Limits): z.ZodArray<Item> {
  const schema = z.array(item).refine((given) => given.length <= limits[limit], {
    error: () => `must have at most ${limits[limit]} entries`,
  });
  return limited(schema, { maxItems: limit });
}

/** An enum that ignores case: agents write its values in upper or lower case. */
export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z
    .preprocess(
      (given: Values[number]) =>
        typeof given === 'string'
          ? (values.find((known) => known.toLowerCase() === given.toLowerCase()) ?? given)
          : given,
      z.enum(values),
    )
    .meta({ enum: [...values] });
}

export const timeoutMs = limited(
  z
    .int()
    .min(0)
    .refine((given) => given <= limits.waitMs, { error: () => `must be at most ${limits.waitMs}` }),
  { maximum: 'waitMs' },
);

/** One message for all invalid values: JSON's 1e999 is a number to its author, but not to zod. */
const ttlRange = { error: () => `must be a number, ${limits.ttlSecondsMin} to ${limits.ttlSecondsMax} seconds` };

export const ttlSeconds = limited(
  z.number(ttlRange).refine((given) => given >= limits.ttlSecondsMin && given <= limits.ttlSecondsMax, ttlRange),
  { minimum: 'ttlSecondsMin', maximum: 'ttlSecondsMax' },
);

/** The page size of an answer. */
export function pageUpTo(limit: keyof Limits) {
  const schema = z
    .int()
    .min(1)
    .refine((given) => given <= limits[limit], { error: () => `must be at most ${limits[limit]}` });
  return limited(schema, { maximum: limit });
}

export const pageLimit = pageUpTo('pageSize');

/** In a list of messages. */
export const position = z.union([z.string().min(1), z.int().min(0)], {
  error: 'must be a cursor, a message id or a seq',
});

export function byteLength(given: string): number {
  return new TextEncoder().encode(given).length;
}
