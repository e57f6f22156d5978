// Merges flags, environment and config file into one frozen Config. Flags win over environment over file.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfigFile, type ConfigFile } from './config/config-file.js';
import { isSwitch, settings, type Setting } from './config/settings.js';
import { unknownName, usage } from './config/usage-errors.js';
import { userFolder, whichFolder } from './config/which-folder.js';
import { withoutPassword } from './contract/database-url.js';
import type { Limits } from './contract/limits.js';
import type { TlsFiles } from './http/tls.js';
import { logLevels, type LogLevel } from './ports/log.js';
import type { SecretPlace } from './signal/seal/secret-file.js';

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Not used with a database. */
  readonly data: string;
  /** Why this folder. */
  readonly dataWhy: string;
  /** URL of the PostgreSQL database that is used instead of the data folder. May contain a password: never show it. */
  readonly database: string | null;
  /** Null without TLS. */
  readonly tls: TlsFiles | null;
  /** The origin at which clients reach the hub, if it was given. */
  readonly publicUrl: string | null;
  /** A list that `trustedProxies` reads. */
  readonly trustProxy: string;
  /** For push services: mailto: or https:. */
  readonly pushContact: string | null;
  /** A list that `createEndpointGuard` reads. */
  readonly pushHosts: string;
  readonly wakeHosts: string;
  /** Of the person at this machine, in open mode. */
  readonly person: string;
  /** The longest wait for MCP clients that are not in the table of known clients. */
  readonly clientWaitMs: number;
  readonly manualLeaseMs: number;
  /** The most tokens one answer may cost a model. */
  readonly resultTokens: number;
  readonly storeMaxBytes: number | null;
  /** 0: audit entries are kept. */
  readonly auditDays: number;
  /** Older messages are deleted once nobody has to read them; null keeps all. */
  readonly retainDays: number | null;
  /** Where the hub's secret is, or its text: never show it. */
  readonly hubSecret: SecretPlace;
  /** Refuses what is not encrypted end to end. */
  readonly requireE2e: boolean;
  readonly logLevel: LogLevel;
  /** Size of hub.log at which it is begun anew; 0 for no bound. */
  readonly logMaxBytes: number;
  readonly hints: boolean;
  /** Tests only: adds the tools that the MCP conformance suite calls. */
  readonly conformance: boolean;
  readonly limits: Partial<Limits>;
  /** Groups of the session `default`, by name; they replace stored groups of the same names. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function loadConfig(argv: readonly string[], env: Environment): Config {
  const { sources, file } = readSources(argv, env);
  const valueOf = (flag: string) => resolve(flag, sources);
  const storeMaxMb = Number(valueOf('store-max-mb'));
  const place = placeOf(sources);
  return Object.freeze({
    ...place,
    hubSecret: hubSecret(place, sources),
    requireE2e: ['true', '1'].includes(valueOf('require-e2e')),
    publicUrl: originOf(valueOf('public-url')),
    trustProxy: valueOf('trust-proxy'),
    pushContact: valueOf('push-contact') || null,
    pushHosts: valueOf('push-hosts'),
    wakeHosts: valueOf('wake-hosts'),
    person: valueOf('person'),
    clientWaitMs: Number(valueOf('client-wait-ms')),
    manualLeaseMs: Number(valueOf('manual-lease-ms')),
    resultTokens: Number(valueOf('result-tokens')),
    storeMaxBytes: storeMaxMb === 0 ? null : storeMaxMb * 1024 * 1024,
    auditDays: Number(valueOf('audit-days')),
    retainDays: Number(valueOf('retain-days')) || null,
    logLevel: logLevels.find((level) => level === valueOf('log-level')) ?? 'info',
    logMaxBytes: Number(valueOf('log-max-mb')) * 1024 * 1024,
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

/** The part of the settings that says where a hub listens and what it serves. */
export type Place = Pick<Config, 'host' | 'port' | 'data' | 'dataWhy' | 'database' | 'tls'>;

/** Reads these alone: a command that only looks for a hub does not need the other settings to be valid. */
export function loadPlace(argv: readonly string[], env: Environment): Place {
  return placeOf(readSources(argv, env).sources);
}

function placeOf(sources: Sources): Place {
  const host = resolve('host', sources);
  const database = resolve('database', sources) || null;
  const named = given('data', sources);
  const folder = database === null ? whichFolder(named, sources.env) : { path: named?.value ?? '', why: '' };
  const port = Number(resolve('port', sources));
  return { host, port, data: folder.path, dataWhy: folder.why, database, tls: tlsFiles(sources) };
}

function tlsFiles(sources: Sources): TlsFiles | null {
  const [cert, key] = [resolve('tls-cert', sources), resolve('tls-key', sources)];
  if (cert !== '' && key !== '') return { cert, key };
  if (cert === '' && key === '') return null;
  const [one, other] = cert === '' ? ['--tls-key', '--tls-cert'] : ['--tls-cert', '--tls-key'];
  throw usage(`${one} was given without ${other}.`, 'Give both files, or neither.');
}

/** A hub on a database has no folder of its own, but needs the same secret after a restart. */
function hubSecret({ data }: Place, sources: Sources): SecretPlace {
  const named = resolve('hub-secret-file', sources);
  const file = named || join(data || userFolder(sources.env), 'hub-secret');
  return { text: sources.env['COTERIE_HUB_SECRET'] || null, file, mayMake: named === '' };
}

function originOf(url: string): string | null {
  return url === '' ? null : new URL(url).origin;
}

function joinHistory(value: string): number {
  if (value === 'all') return -1;
  return value === 'none' ? 0 : Number(value);
}

function readFlags(argv: readonly string[]): Map<string, string> {
  const known = [...settings.map(({ flag }) => flag), 'config'];
  const options = Object.fromEntries(
    known.map((flag) => [flag, { type: isSwitch(flag) ? ('boolean' as const) : ('string' as const) }]),
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
    if (!isSwitch(token.name) && token.value === undefined) {
      throw usage(`${token.rawName} needs a value.`, `Write ${token.rawName} <value>.`);
    }
    flags.set(token.name, token.value ?? 'true');
  }
  return flags;
}

interface Sources {
  flags: ReadonlyMap<string, string>;
  env: Environment;
  file: Readonly<Record<string, string>>;
}

function readSources(argv: readonly string[], env: Environment): { sources: Sources; file: ConfigFile } {
  const flags = readFlags(argv);
  const path = flags.get('config') ?? (env['COTERIE_CONFIG'] || undefined);
  const file = path === undefined ? {} : readConfigFile(path);
  return { sources: { flags, env, file: file.values ?? {} }, file };
}

function resolve(flag: string, sources: Sources): string {
  return given(flag, sources)?.value ?? settingOf(flag).fallback;
}

/** The value that overrides the others, and where it was given. */
function given(flag: string, { flags, env, file }: Sources): { value: string; source: string } | undefined {
  const setting = settingOf(flag);
  const sources: [string, string | undefined][] = [
    [`--${setting.flag}`, flags.get(setting.flag)],
    // Launchers set an empty variable for "none".
    [setting.env, env[setting.env] === '' && !setting.isValid('') ? undefined : env[setting.env]],
    [`"${setting.flag}" in the config file`, file[setting.flag]],
  ];
  const [source, value] = sources.find(([, candidate]) => candidate !== undefined) ?? [];
  if (source === undefined || value === undefined) return undefined;
  if (setting.isValid(value)) return { value, source };
  const shown = ['database', 'public-url'].includes(setting.flag) ? withoutPassword(value) : value;
  throw usage(`${source} was given '${shown}'.`, `Allowed: ${setting.allowed}.`);
}

function settingOf(flag: string): Setting {
  const setting = settings.find((known) => known.flag === flag);
  if (setting === undefined) throw new Error(`no setting ${flag}`);
  return setting;
}
