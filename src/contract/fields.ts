// Field schemas shared by operations. Limits are read when a call is parsed, after the settings were applied.
import { z } from 'zod';
import { limits, type Limits } from './limits.js';

/** Text with a length limit. */
export function text(limit: keyof Limits): z.ZodString {
  return storable(z.string()).refine((given) => given.length <= limits[limit], {
    error: () => `must be at most ${limits[limit]} characters`,
  });
}

/** SQLite ends a text at its first NUL: the rest would be lost silently. */
function storable(schema: z.ZodString): z.ZodString {
  return schema.refine((given) => !given.includes('\0'), { error: 'must not contain a NUL character' });
}

/** Non-blank text. */
export function filledText(limit: keyof Limits): z.ZodString {
  return text(limit).refine((given) => given.trim() !== '', { error: 'must not be empty' });
}

/** An arbitrary object with a limit on its JSON size. */
export function jsonObject(limit: keyof Limits): z.ZodRecord<z.ZodString, z.ZodUnknown> {
  return z.record(z.string(), z.unknown()).refine((given) => byteLength(JSON.stringify(given)) <= limits[limit], {
    error: () => `must be at most ${limits[limit]} bytes of JSON`,
  });
}

export function list<Item extends z.ZodType>(item: Item, limit: keyof Limits): z.ZodArray<Item> {
  return z.array(item).refine((given) => given.length <= limits[limit], {
    error: () => `must have at most ${limits[limit]} entries`,
  });
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

export const timeoutMs = z
  .int()
  .min(0)
  .refine((given) => given <= limits.waitMs, { error: () => `must be at most ${limits.waitMs}` });

/** The page size of an answer. */
export function pageUpTo(limit: keyof Limits) {
  return z
    .int()
    .min(1)
    .refine((given) => given <= limits[limit], { error: () => `must be at most ${limits[limit]}` });
}

export const pageLimit = pageUpTo('pageSize');

export function byteLength(given: string): number {
  return new TextEncoder().encode(given).length;
}
