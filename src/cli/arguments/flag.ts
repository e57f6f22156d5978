// A command line flag, and how its value is parsed.

export interface Flag {
  readonly name: string;
  /** The value's name in help; undefined for a switch. */
  readonly value?: string;
  readonly help: string;
  readonly env?: string;
  /** Describes valid values, for the error message. */
  readonly allowed?: string;
  /** All valid values, for completion. */
  readonly choices?: readonly string[];
  /** A secondary name: accepted and completed, but not described in help. */
  readonly isSecondary?: boolean;
  /** Parses the value; returns undefined if invalid. Without it the value is used as text. */
  readonly read?: (value: string) => unknown;
  /** The contract field it sets, under the name sent to the hub. */
  readonly field?: string;
  /** May be repeated; each one adds to the list. */
  readonly isList?: boolean;
}

const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 };

export const durationForm = 'a number of seconds, or like 500ms, 90s, 5m, 2h, 1d';

/** A duration, in seconds; a bare number is seconds. */
export function readSeconds(value: string): number | undefined {
  const [, amount = '', unit = 's'] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)?$/.exec(value) ?? [];
  if (amount === '') return undefined;
  return Number(amount) * (unitSeconds[unit] ?? 1);
}

export function readMs(value: string): number | undefined {
  const seconds = readSeconds(value);
  return seconds === undefined ? undefined : Math.round(seconds * 1_000);
}

/** For a switch that sets a field to one value. */
export function switchFor(value: unknown): Pick<Flag, 'read' | 'allowed'> {
  return { read: (typed) => (typed === 'true' ? value : undefined), allowed: 'no value' };
}

export function readYesOrNo(value: string): boolean | undefined {
  if (['true', 'yes', '1'].includes(value)) return true;
  return ['false', 'no', '0'].includes(value) ? false : undefined;
}
