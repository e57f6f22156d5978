// Merges flags, environment and config file into one frozen Config. Flags win over environment over file.
import { parseArgs } from 'node:util';
import { readConfigFile } from './config/config-file.js';
import { settings, type Setting } from './config/settings.js';
import { unknownName, usage } from './config/usage-errors.js';
import { withoutPassword } from './contract/database-url.js';
import { HubError } from './contract/errors.js';
import type { Limits } from './contract/limits.js';
import { isLoopback } from './http/guard.js';
import { logLevels, type LogLevel } from './ports/log.js';

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Not used with a database. */
  readonly data: string;
  /** URL of the PostgreSQL database that is used instead of the data folder. May contain a password: never show it. */
  readonly database: string | null;
  /** The longest wait for MCP clients that are not in the table of known clients. */
  readonly clientWaitMs: number;
  readonly manualLeaseMs: number;
  /** The most tokens one answer may cost a model. */
  readonly resultTokens: number;
  readonly storeMaxBytes: number | null;
  readonly logLevel: LogLevel;
  readonly hints: boolean;
  /** Tests only: adds the tools that the MCP conformance suite calls. */
  readonly conformance: boolean;
  readonly limits: Partial<Limits>;
  /** Groups of the session `default`, by name; they replace stored groups of the same names. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
}

export function loadConfig(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Config {
  const flags = readFlags(argv);
  const path = flags.get('config') ?? env['COTERIE_CONFIG'];
  const file = path === undefined ? {} : readConfigFile(path);
  const valueOf = (flag: string): string => {
    const setting = settings.find((known) => known.flag === flag);
    if (setting === undefined) throw new Error(`no setting ${flag}`);
    return resolve(setting, { flags, env, file: file.values ?? {} });
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
    logLevel: logLevels.find((level) => level === valueOf('log-level')) ?? 'info',
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

interface Sources {
  flags: ReadonlyMap<string, string>;
  env: Readonly<Record<string, string | undefined>>;
  file: Readonly<Record<string, string>>;
}

function resolve(setting: Setting, { flags, env, file }: Sources): string {
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

function beyondLoopback(host: string): HubError {
  return new HubError(
    'OPEN_MODE_BEYOND_LOOPBACK',
    `--host was given '${host}', but this hub has no keys: anyone there could act as anyone.`,
    {
      hint: 'Allowed: 127.0.0.1, localhost or ::1. Keys come with a later release; until then reach it through an SSH tunnel.',
    },
  );
}
