// Flags, environment and config file become one frozen Config. Flags win over environment over file.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { resultTokensMax, resultTokensMin } from './contract/budget/model-reader.js';
import { databaseUrlForm, isDatabaseUrl, withoutPassword } from './contract/database-url.js';
import { HubError } from './contract/errors.js';
import { idForm, idPattern } from './contract/ids.js';
import { limits, type Limits } from './contract/limits.js';
import { nearest } from './contract/nearest.js';
import { isLoopback } from './http/guard.js';

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Not touched when there is a database. */
  readonly data: string;
  /** Of the PostgreSQL database that takes the place of the data folder. Has a password: not to be shown. */
  readonly database: string | null;
  /** The wait granted to MCP clients the table does not know. */
  readonly clientWaitMs: number;
  readonly manualLeaseMs: number;
  /** What one answer may cost a model. */
  readonly resultTokens: number;
  readonly storeMaxBytes: number | null;
  readonly hints: boolean;
  /** Tests only: adds what the MCP conformance suite calls. */
  readonly conformance: boolean;
  readonly limits: Partial<Limits>;
  /** Of the session `default`, by name; they replace what was there under these names. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
}

interface Setting {
  readonly flag: string;
  readonly env: string;
  readonly help: string;
  readonly fallback: string;
  readonly allowed: string;
  readonly isValid: (value: string) => boolean;
}

const wholeNumber = (min: number, max: number) => (value: string) =>
  /^\d{1,15}$/.test(value) && Number(value) >= min && Number(value) <= max;
const yesOrNo = (value: string) => ['true', 'false', '1', '0'].includes(value);

/** The README's table of settings is checked against this list. */
export const settings: readonly Setting[] = [
  {
    flag: 'host',
    env: 'COTERIE_HOST',
    help: 'address to listen on',
    fallback: '127.0.0.1',
    allowed: 'a loopback address while the hub has no keys',
    isValid: (value) => value !== '',
  },
  {
    flag: 'port',
    env: 'COTERIE_PORT',
    help: 'port to listen on; 0 picks a free one',
    fallback: '4100',
    allowed: '0 to 65535',
    isValid: wholeNumber(0, 65_535),
  },
  {
    flag: 'data',
    env: 'COTERIE_DATA',
    help: 'folder of the embedded store',
    fallback: './.coterie',
    allowed: 'a folder this user can write',
    isValid: (value) => value !== '',
  },
  {
    flag: 'database',
    env: 'COTERIE_DATABASE_URL',
    help: 'PostgreSQL instead of --data, also for several hubs',
    fallback: '',
    allowed: databaseUrlForm,
    // An empty variable is how launchers say "none".
    isValid: (value) => value === '' || isDatabaseUrl(value),
  },
  {
    flag: 'client-wait-ms',
    env: 'COTERIE_CLIENT_WAIT_MS',
    help: 'longest wait for MCP clients whose own limit is not known',
    fallback: '50000',
    allowed: '1000 to 600000',
    isValid: wholeNumber(1_000, 600_000),
  },
  {
    flag: 'manual-lease-ms',
    env: 'COTERIE_MANUAL_LEASE_MS',
    help: 'time to acknowledge messages taken with ack "manual"',
    fallback: '60000',
    allowed: '1000 to 3600000',
    isValid: wholeNumber(1_000, 3_600_000),
  },
  {
    flag: 'result-tokens',
    env: 'COTERIE_RESULT_TOKENS',
    help: 'most tokens one MCP result may cost; the rest comes with the next call',
    fallback: '8000',
    allowed: `${resultTokensMin} to ${resultTokensMax}`,
    isValid: wholeNumber(resultTokensMin, resultTokensMax),
  },
  {
    flag: 'store-max-mb',
    env: 'COTERIE_STORE_MAX_MB',
    help: 'refuse to let the database grow beyond this; 0 for no bound',
    fallback: '0',
    allowed: '0 or 1 to 10000000',
    isValid: wholeNumber(0, 10_000_000),
  },
  {
    flag: 'all-days',
    env: 'COTERIE_ALL_DAYS',
    help: 'agents unseen for so many days leave the group all',
    fallback: String(limits.allDays),
    allowed: '1 to 36500',
    isValid: wholeNumber(1, 36_500),
  },
  {
    flag: 'join-history',
    env: 'COTERIE_JOIN_HISTORY',
    help: 'earlier messages of a thread that a late joiner may read: all, none or the last so many',
    fallback: 'all',
    allowed: 'all, none or 1 to 500',
    isValid: (value) => ['all', 'none'].includes(value) || wholeNumber(1, 500)(value),
  },
  {
    flag: 'hints',
    env: 'COTERIE_HINTS',
    help: 'print how to connect clients at start',
    fallback: 'false',
    allowed: 'true or false',
    isValid: yesOrNo,
  },
];

export function loadConfig(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Config {
  const flags = readFlags(argv);
  const path = flags.get('config') ?? env['COTERIE_CONFIG'];
  const file = path === undefined ? {} : readConfigFile(path);
  const valueOf = (flag: string): string => {
    const setting = settings.find((known) => known.flag === flag);
    if (setting === undefined) throw new Error(`no setting ${flag}`);
    return resolve(setting, flags, env, file.values ?? {});
  };
  const host = valueOf('host');
  if (!isLoopback(host)) throw beyondLoopback(host);
  const storeMaxMb = Number(valueOf('store-max-mb'));
  return Object.freeze({
    host,
    port: Number(valueOf('port')),
    data: valueOf('data'),
    database: valueOf('database') || null,
    clientWaitMs: Number(valueOf('client-wait-ms')),
    manualLeaseMs: Number(valueOf('manual-lease-ms')),
    resultTokens: Number(valueOf('result-tokens')),
    storeMaxBytes: storeMaxMb === 0 ? null : storeMaxMb * 1024 * 1024,
    hints: ['true', '1'].includes(valueOf('hints')),
    conformance: env['COTERIE_CONFORMANCE'] === '1',
    limits: {
      ...file.limits,
      allDays: Number(valueOf('all-days')),
      joinHistory: joinHistory(valueOf('join-history')),
    },
    groups: file.groups ?? {},
  });
}

function joinHistory(value: string): number {
  if (value === 'all') return -1;
  return value === 'none' ? 0 : Number(value);
}

function readFlags(argv: readonly string[]): Map<string, string> {
  const known = [...settings.map(({ flag }) => flag), 'config'];
  const options = Object.fromEntries(
    known.map((flag) => [flag, { type: flag === 'hints' ? ('boolean' as const) : ('string' as const) }]),
  );
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, tokens: true, allowPositionals: true });
  const flags = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind === 'positional')
      throw usage(`'${withoutPassword(token.value)}' is not expected here.`, 'Options are written --name value.');
    if (token.kind !== 'option') continue;
    if (!known.includes(token.name))
      throw unknownName(
        token.rawName,
        token.name,
        known.map((flag) => `--${flag}`),
      );
    if (token.name !== 'hints' && token.value === undefined) {
      throw usage(`${token.rawName} needs a value.`, `Write ${token.rawName} <value>.`);
    }
    flags.set(token.name, token.value ?? 'true');
  }
  return flags;
}

function resolve(
  setting: Setting,
  flags: ReadonlyMap<string, string>,
  env: Readonly<Record<string, string | undefined>>,
  file: Readonly<Record<string, string>>,
): string {
  const sources: [string, string | undefined][] = [
    [`--${setting.flag}`, flags.get(setting.flag)],
    [setting.env, env[setting.env]],
    [`"${setting.flag}" in the config file`, file[setting.flag]],
  ];
  const given = sources.find(([, value]) => value !== undefined);
  if (given === undefined) return setting.fallback;
  const [source, value = ''] = given;
  if (setting.isValid(value)) return value;
  const shown = setting.flag === 'database' ? withoutPassword(value) : value;
  throw usage(`${source} was given '${shown}'.`, `Allowed: ${setting.allowed}.`);
}

interface ConfigFile {
  values?: Record<string, string>;
  limits?: Partial<Limits>;
  groups?: Record<string, string[]>;
}

function readConfigFile(path: string): ConfigFile {
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

/** Without the piece of the file that Node quotes: it may have a password in it. */
function reasonOf(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).replace(/,? *(\.\.\.)?"[^]*" *is not valid JSON/, '');
}

function readLimits(given: unknown): Partial<Limits> {
  if (given === undefined) return {};
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw usage('"limits" in the config file is not an object.', 'Write { "limits": { … } }.');
  for (const [name, value] of Object.entries(given)) {
    // These have flags of their own.
    const known = Object.keys(limits).filter((limit) => !['allDays', 'joinHistory'].includes(limit));
    if (!known.includes(name)) throw unknownName(`The limit "${name}"`, name, known);
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) {
      throw usage(`The limit "${name}" was given '${String(value)}'.`, 'Allowed: a whole number above 0.');
    }
  }
  return given;
}

/** What can be told without the store: the rest is refused when they are applied. */
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

/** `known` as a person would write them; dashes do not count in the comparison. */
function unknownName(given: string, name: string, known: readonly string[]): HubError {
  const [near] = nearest(
    name,
    known.map((flag) => flag.replace(/^--/, '')),
  );
  const meant = known.find((flag) => flag.replace(/^--/, '') === near);
  const all = `Known: ${known.join(', ')}.`;
  return usage(`${given} is not known.`, meant === undefined ? all : `Did you mean ${meant}? ${all}`);
}

function usage(message: string, hint: string): HubError {
  return new HubError('USAGE', message, { hint });
}

function beyondLoopback(host: string): HubError {
  return new HubError(
    'OPEN_MODE_BEYOND_LOOPBACK',
    `--host was given '${host}', but this hub has no keys: anyone there could act as anyone.`,
    {
      hint: 'Allowed: 127.0.0.1, localhost or ::1. Keys come with a later release; until then reach it through an SSH tunnel.',
    },
  );
}
