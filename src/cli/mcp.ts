// coterie mcp: an MCP server on stdio for one agent. Nothing else is written to stdout.
import { statSync } from 'node:fs';
import { parse, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runBridge, type BridgeKey } from '../bridge/bridge.js';
import type { AutoNaming } from '../bridge/bridge-name.js';
import { findHub, isHubServing, type FindPorts } from '../bridge/find-hub.js';
import { programSealing, type SealingPlace } from '../bridge/program-sealing.js';
import { loadConfig, type Config } from '../config.js';
import { isSwitch, settings } from '../config/settings.js';
import { userFolder } from '../config/which-folder.js';
import { withoutPassword } from '../contract/database-url.js';
import { HubError } from '../contract/errors.js';
import { idForm, idPattern } from '../contract/ids.js';
import { nearest } from '../contract/input/nearest.js';
import { operationCalled, operationList } from '../contract/operations/index.js';
import { isResultForm } from '../mcp/client-profiles.js';
import { requireOwn } from '../config/own-folder.js';
import { isLocked, makeDataFolder } from '../store/sqlite/writer/data-folder.js';
import { packageVersion } from '../version.js';
import { noKeyArgument, readKey } from './arguments/key-choice.js';
import { claimName, namesPlace } from './hub/claim-name.js';
import { autoName } from './hub/hook-name.js';
import { runningHub } from './hub/running-hub.js';
import { clientPid } from './wake/client-process.js';

export async function runMcp(argv: readonly string[]): Promise<void> {
  const { own, hubArgs } = splitFlags(argv);
  const config = loadConfig(hubArgs, process.env);
  // A folder that was typed is meant, whatever the environment names.
  const env = isTyped('data', hubArgs) ? { ...process.env, COTERIE_URL: '' } : process.env;
  const { agent, session, tools = null, results, url, files, 'key-file': keyFile } = readOwn(own, env);
  if (url === undefined && config.database !== null) throw noUrl();
  const signalled = new Promise<void>((end) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => end());
  });
  const ports = findPorts(config, hubArgs);
  const isAuto = agent === autoName;
  await runBridge({
    agent: isAuto ? undefined : agent,
    auto: isAuto
      ? autoNaming(url === undefined ? ports.data : namesPlace({ kind: 'address', url }), session)
      : undefined,
    session,
    key: bridgeKey(keyFile),
    tools,
    results: results !== undefined && isResultForm(results) ? results : undefined,
    signalled,
    stdin: process.stdin,
    stdout: process.stdout,
    locate: url === undefined ? (hadHub) => findHub(ports, hadHub) : () => Promise.resolve(url),
    isServing: url === undefined ? () => isHubServing(ports) : () => Promise.resolve(true),
    waitMsUnknownClient: config.clientWaitMs,
    filesFolder: files ?? workingFolder(),
    resultTokens: config.resultTokens,
    sealing: (name) => programSealing(sealingPlace(config, url ?? ports.data, session), name),
    version: packageVersion,
    report: (problem) => process.stderr.write(`coterie mcp: ${problem}\n`),
  });
}

function sealingPlace({ requireE2e }: Config, hub: string, session = 'default'): SealingPlace {
  return { folder: userFolder(process.env), hub, session, requireE2e };
}

/** A rotated key is picked up from its file; the environment of a process does not change. */
function bridgeKey(file: string | undefined): BridgeKey | undefined {
  const first = readKey(file, process.env);
  if (first === undefined) return undefined;
  const key = {
    text: first.text,
    renew() {
      const before = key.text;
      try {
        key.text = readKey(file, process.env)?.text ?? before;
      } catch {
        // The hub says what is wrong with the old one.
      }
      return key.text !== before;
    },
  };
  return key;
}

/** `place` is the folder that keeps the names: the hub's, or one of the user's own. */
function autoNaming(place: string, session = 'default'): AutoNaming {
  const folder = process.cwd();
  let found: { pid: number | undefined } | undefined;
  return {
    folder,
    claim(name, client) {
      found ??= { pid: clientPid() };
      return claimName(place, { name, client, session, folder, clientPid: found.pid });
    },
  };
}

function findPorts(config: Config, hubArgs: readonly string[]): FindPorts {
  const data = resolve(config.data);
  const standard = settings.find(({ flag }) => flag === 'port')?.fallback;
  return {
    data,
    prepareFolder() {
      makeDataFolder(data);
      requireOwn(data);
    },
    runningHub: () => runningHub(data),
    commandFile: fileURLToPath(new URL('main.js', import.meta.url)),
    serveArgs: hubArgs,
    isFolderFree: () => !isLocked(data),
    port: config.port,
    isPortChosen: String(config.port) !== standard || isGiven('port', hubArgs),
  };
}

function isGiven(flag: string, argv: readonly string[]): boolean {
  const env = settings.find((setting) => setting.flag === flag)?.env ?? '';
  return Boolean(process.env[env]) || isTyped(flag, argv);
}

function isTyped(flag: string, argv: readonly string[]): boolean {
  return argv.some((arg) => arg === `--${flag}` || arg.startsWith(`--${flag}=`));
}

interface OwnFlag {
  flag: 'agent' | 'session' | 'tools' | 'results' | 'url' | 'files' | 'key-file';
  env?: string;
  allowed: string;
  isValid: (value: string) => boolean;
}

const ownFlags: readonly OwnFlag[] = [
  { flag: 'agent', env: 'COTERIE_AGENT', allowed: idForm, isValid: (value) => idPattern.test(value) },
  { flag: 'session', env: 'COTERIE_SESSION', allowed: idForm, isValid: (value) => idPattern.test(value) },
  { flag: 'tools', allowed: 'all, or comma-separated tool names', isValid: areTools },
  { flag: 'results', allowed: 'text or both', isValid: isResultForm },
  { flag: 'url', env: 'COTERIE_URL', allowed: 'the http(s) URL of a hub', isValid: isHttpUrl },
  { flag: 'key-file', allowed: 'a file with a key', isValid: (value) => value !== '' },
  { flag: 'files', allowed: 'a folder whose files may be sent', isValid: isFolder },
];

function areTools(value: string): boolean {
  const names = value.split(',').map((name) => name.trim());
  return names.every((name) => name === 'all' || operationCalled(name) !== undefined);
}

function isHttpUrl(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function isFolder(value: string): boolean {
  return statSync(value, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Not the root folder, in which some clients start their servers: it would allow every file. */
function workingFolder(): string | null {
  const folder = process.cwd();
  return folder === parse(folder).root ? null : folder;
}

type Own = Partial<Record<OwnFlag['flag'], string>>;

/** Separates the bridge's own flags from those of a hub it may start. */
function splitFlags(argv: readonly string[]): { own: Map<string, string>; hubArgs: string[] } {
  const known = [...ownFlags.map(({ flag }) => flag), ...settings.map(({ flag }) => flag), 'config'];
  const options = Object.fromEntries(
    known.map((flag) => [flag, { type: isSwitch(flag) ? ('boolean' as const) : ('string' as const) }]),
  );
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, tokens: true, allowPositionals: true });
  const own = new Map<string, string>();
  const hubArgs: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') {
      throw usage(`'${withoutPassword(token.value)}' is not expected here.`, 'Options are written --name value.');
    }
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    if (!known.includes(name)) throw unknownFlag(rawName, known);
    if (!ownFlags.some(({ flag }) => flag === name)) {
      hubArgs.push(value === undefined ? rawName : `${rawName}=${value}`);
    } else if (value === undefined) throw usage(`${rawName} needs a value.`, `Write ${rawName} <value>.`);
    else own.set(name, value);
  }
  return { own, hubArgs };
}

function readOwn(given: ReadonlyMap<string, string>, env: Readonly<Record<string, string | undefined>>): Own {
  const own: Own = {};
  for (const { flag, env: variable, allowed, isValid } of ownFlags) {
    const fromFlag = given.get(flag);
    // Launchers set an empty variable for "none".
    const value = fromFlag ?? (variable === undefined ? undefined : env[variable] || undefined);
    if (value === undefined) continue;
    const source = fromFlag === undefined ? variable : `--${flag}`;
    if (!isValid(value)) throw usage(`${source} was given '${value}'.`, `Allowed: ${allowed}.${toolHint(flag, value)}`);
    own[flag] = value;
  }
  return own;
}

function toolHint(flag: string, value: string): string {
  if (flag !== 'tools') return '';
  const names = operationList.map(({ name }) => name);
  const near = value.split(',').flatMap((name) => (operationCalled(name.trim()) ? [] : nearest(name.trim(), names)));
  return near.length === 0 ? '' : ` Did you mean ${near.join(', ')}?`;
}

function unknownFlag(given: string, known: readonly string[]): HubError {
  if (given === '--key') return usage('--key is not a flag of coterie mcp.', noKeyArgument);
  const [near] = nearest(given.replace(/^--?/, ''), known);
  const all = `Known: ${known.map((flag) => `--${flag}`).join(', ')}.`;
  return usage(`${given} is not a flag of coterie mcp.`, near === undefined ? all : `Did you mean --${near}? ${all}`);
}

/** Hubs that share a database are found by URL; one started by a bridge would be known to nobody. */
function noUrl(): HubError {
  return usage(
    'coterie mcp with --database needs the URL of a hub.',
    'Start one with coterie serve, and set its URL with --url (COTERIE_URL).',
  );
}

function usage(message: string, hint: string): HubError {
  return new HubError('USAGE', message, { hint });
}
