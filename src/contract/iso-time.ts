// Parses the times that callers send: ISO 8601, a date with or without a time. UTC when there is no offset.
import { z } from 'zod';

const form = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}:\d{2})(:\d{2})?([.,]\d{1,9})?([Zz]|[+-]\d{2}:?\d{2})?)?$/;
const dayMs = 24 * 60 * 60 * 1_000;

/** Epoch milliseconds. A date without a time is the whole day: `edge` picks its first or last millisecond. */
export function isoTime(edge: 'start' | 'end') {
  return z.string().transform((given, context) => {
    const at = parseTime(given.trim(), edge);
    if (at !== undefined) return at;
    context.addIssue({ code: 'custom', message: 'must be a time in ISO 8601, e.g. 2026-11-15T09:30:00Z' });
    return z.NEVER;
  });
}

function parseTime(given: string, edge: 'start' | 'end'): number | undefined {
  const [, year, month, day, clock, seconds = ':00', fraction = '', offset = 'Z'] = form.exec(given) ?? [];
  if (year === undefined || month === undefined || day === undefined || !isDay(year, month, day)) return undefined;
  const midnight = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  if (clock === undefined) return edge === 'start' ? midnight : midnight + dayMs - 1;
  const zone = offset.toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  const at = Date.parse(`${year}-${month}-${day}T${clock}${seconds}${fraction.replace(',', '.').slice(0, 4)}${zone}`);
  return Number.isNaN(at) ? undefined : at;
}

/** Date.parse turns February 30 into March 2. */
function isDay(year: string, month: string, day: string): boolean {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}
