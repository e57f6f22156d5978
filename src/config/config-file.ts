// Reads the JSON file that --config names: settings, limits and groups.
import { readFileSync } from 'node:fs';
import { idForm, idPattern } from '../contract/ids.js';
import { limits, type Limits } from '../contract/limits.js';
import { settings } from './settings.js';
import { unknownName, usage } from './usage-errors.js';

export interface ConfigFile {
  values?: Record<string, string>;
  limits?: Partial<Limits>;
  groups?: Record<string, string[]>;
}

export function readConfigFile(path: string): ConfigFile {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw usage(`--config: cannot read '${path}' as JSON (${reasonOf(cause)}).`, 'Give a JSON file.');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw usage(`--config: '${path}' is not a JSON object.`, 'Write the settings as one object.');
  }
  const { limits: givenLimits, groups: givenGroups, ...rest }: { limits?: unknown; groups?: unknown } = parsed;
  const known = settings.map(({ flag }) => flag);
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(rest)) {
    if (!known.includes(name)) throw unknownName(`"${name}" in ${path}`, name, [...known, 'limits', 'groups']);
    values[name] = String(value);
  }
  const fileLimits = readLimits(givenLimits);
  return { values, limits: fileLimits, groups: readGroups(givenGroups, { ...limits, ...fileLimits }) };
}

/** Without the part of the file that Node quotes: it may contain a password. */
function reasonOf(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).replace(/,? *(\.\.\.)?"[^]*" *is not valid JSON/, '');
}

function readLimits(given: unknown): Partial<Limits> {
  if (given === undefined) return {};
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw usage('"limits" in the config file is not an object.', 'Write { "limits": { … } }.');
  for (const [name, value] of Object.entries(given)) {
    // allDays and joinHistory have flags of their own.
    const known = Object.keys(limits).filter((limit) => !['allDays', 'joinHistory'].includes(limit));
    if (!known.includes(name)) throw unknownName(`The limit "${name}"`, name, known);
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) {
      throw usage(`The limit "${name}" was given '${String(value)}'.`, 'Allowed: a whole number above 0.');
    }
  }
  return given;
}

/** Checks what can be checked without the store; the rest is checked when the groups are applied. */
function readGroups(given: unknown, { groupMembers }: Limits): Record<string, string[]> {
  if (given === undefined) return {};
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw usage('"groups" in the config file is not an object.', 'Write { "groups": { "builders": ["ann", "ben"] } }.');
  const groups: Record<string, string[]> = {};
  for (const [name, members] of Object.entries(given) as [string, unknown][]) {
    const key = `"groups.${name}" in the config file`;
    if (!idPattern.test(name)) throw usage(`${key} is not a name for a group.`, `Allowed: ${idForm}.`);
    if (!Array.isArray(members)) throw usage(`${key} is not a list.`, 'Write the ids of its members as a list.');
    if (members.length > groupMembers)
      throw usage(`${key} has ${members.length} members.`, `Allowed: at most ${groupMembers}.`);
    groups[name] = members.map((member: unknown, index) => {
      if (typeof member === 'string' && idPattern.test(member)) return member;
      const shown = typeof member === 'string' ? member : JSON.stringify(member);
      throw usage(`"groups.${name}[${index}]" in the config file was given '${shown}'.`, `Allowed: ${idForm}.`);
    });
  }
  return groups;
}
