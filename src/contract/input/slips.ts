// Values that only differ in form from what a field takes: a number, a switch or a list written as text. Models write
// them often, and they mean one thing only. Anything else is left to the schema, which refuses it.
import { z } from 'zod';
import { idPattern, threadIdPattern, threadRef, withoutAt } from '../ids.js';

/** Reads a text given for a field that takes something else; returns the text as it was if it cannot be that. */
export type TextReader = (given: string) => unknown;

/** By the field's schema. Undefined for a field that takes text, or whose schema reads text itself. */
export function textReaderFor(schema: unknown): TextReader | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return textReaderFor(schema.unwrap());
  if (schema instanceof z.ZodNumber) return readNumber;
  if (schema instanceof z.ZodBoolean) return readSwitch;
  if (schema instanceof z.ZodArray) return schema.element === threadRef ? readThreads : readList;
  const takesNumber = schema instanceof z.ZodUnion && schema.options.some((option) => option instanceof z.ZodNumber);
  return takesNumber ? readNumber : undefined;
}

function readNumber(given: string): unknown {
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(given.trim()) ? Number(given) : given;
}

function readSwitch(given: string): unknown {
  const written = given.trim().toLowerCase();
  return written === 'true' || (written === 'false' ? false : given);
}

/** A JSON list, ids separated by commas, or one entry. Other text with a comma may be one entry or several. */
function readList(given: string): unknown {
  return listIn(given, (id) => idPattern.test(withoutAt(id))) ?? given;
}

/** A title or label may have commas: only the ids of threads are separated by them. */
function readThreads(given: string): unknown {
  return listIn(given, (id) => threadIdPattern.test(id)) ?? (given.trim() === '' ? given : [given.trim()]);
}

function listIn(given: string, isId: (part: string) => boolean): unknown[] | undefined {
  const written = given.trim();
  if (written.startsWith('[')) return jsonList(written);
  if (written === '') return undefined;
  const parts = written.split(',').map((part) => part.trim());
  return parts.length === 1 || parts.every(isId) ? parts : undefined;
}

function jsonList(text: string): unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
