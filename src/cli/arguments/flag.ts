// A flag, and how a typed value becomes what it means.

export interface Flag {
  readonly name: string;
  /** What stands for the value in help; a switch has none. */
  readonly value?: string;
  readonly help: string;
  readonly env?: string;
  /** Says what passes, for the refusal of what does not. */
  readonly allowed?: string;
  /** The values there are, for completion. */
  readonly words?: readonly string[];
  /** A second name: accepted and completed, but not spelled out in help. */
  readonly isSecond?: boolean;
  /** What the value means; undefined when it means nothing. Without it the text itself is meant. */
  readonly read?: (value: string) => unknown;
  /** The contract's field it fills, under the name the hub is sent. */
  readonly field?: string;
  /** May be given again, and adds to the list. */
  readonly isList?: boolean;
}

const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 };

export const durationForm = 'a number of seconds, or like 500ms, 90s, 5m, 2h, 1d';

/** A time as people write it, in seconds; a bare number is seconds. */
export function readSeconds(value: string): number | undefined {
  const [, amount = '', unit = 's'] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)?$/.exec(value) ?? [];
  if (amount === '') return undefined;
  return Number(amount) * (unitSeconds[unit] ?? 1);
}

export function readMs(value: string): number | undefined {
  const seconds = readSeconds(value);
  return seconds === undefined ? undefined : Math.round(seconds * 1_000);
}

/** For a switch that stands for one value of a field. */
export function standsFor(value: unknown): Pick<Flag, 'read' | 'allowed'> {
  return { read: (typed) => (typed === 'true' ? value : undefined), allowed: 'no value' };
}

export function readYesOrNo(value: string): boolean | undefined {
  if (['true', 'yes', '1'].includes(value)) return true;
  return ['false', 'no', '0'].includes(value) ? false : undefined;
}
