// Flags of all commands that call a hub: hub, session, caller and output format.
import { idForm, idPattern, withoutAt } from '../../contract/ids.js';
import { keyIdIn } from '../../contract/key.js';
import type { Flag } from './flag.js';
import { keyFileFlag, readKey, type KeyChoice } from './key-choice.js';
import { badValue } from './read-args.js';

/** A key has the form of an id too, and must not be taken for a name. */
const isId = (value: string) => (idPattern.test(value) && keyIdIn(value) === value ? value : undefined);
const isAgentId = (value: string) => isId(withoutAt(value));
const isHttpUrl = (value: string) =>
  URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) ? value : undefined;

const idFlag = { value: 'NAME', allowed: idForm, read: isId };

export const asFlag: Flag = { ...idFlag, name: 'as', help: 'who you are', env: 'COTERIE_AGENT', read: isAgentId };
export const sessionFlag: Flag = { ...idFlag, name: 'session', help: 'the session (default)', env: 'COTERIE_SESSION' };
export const urlFlag: Flag = {
  name: 'url',
  value: 'URL',
  help: 'the hub’s URL',
  env: 'COTERIE_URL',
  allowed: 'the http(s) URL of a hub',
  read: isHttpUrl,
};
export const dataFlag: Flag = {
  name: 'data',
  value: 'DIR',
  help: 'the hub of this data folder (see coterie where)',
  env: 'COTERIE_DATA',
  allowed: 'a folder',
  read: (value) => (value === '' ? undefined : value),
};
export const configFlag: Flag = {
  name: 'config',
  value: 'FILE',
  help: 'the hub’s config file',
  env: 'COTERIE_CONFIG',
};
export const jsonFlag: Flag = { name: 'json', help: 'output for programs' };

/** For commands that show a whole session. */
export const watchFlags: readonly Flag[] = [sessionFlag, urlFlag, dataFlag, keyFileFlag, jsonFlag];
/** For commands that act as an agent. */
export const hubFlags: readonly Flag[] = [asFlag, ...watchFlags];

export interface HubChoice {
  readonly agent?: string;
  readonly session?: string;
  readonly url?: string;
  /** The flag or the variable that gave the URL. */
  readonly urlSource?: string;
  /** Typed; COTERIE_DATA is read with the other settings of a hub. */
  readonly data?: string;
  /** Of a hub, like the port; for commands that have these flags. */
  readonly config?: string;
  readonly port?: string;
  /** It also says who the caller is. */
  readonly key?: KeyChoice;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Flags override the environment: with a --url or --data flag, both variables are ignored. */
export function readHubChoice(own: ReadonlyMap<string, string>, env: Environment = process.env): HubChoice {
  // `auto` lets a bridge choose; a person still has to say who they are.
  const agent = valueOf(asFlag, own, env['COTERIE_AGENT'] === 'auto' ? {} : env);
  const session = valueOf(sessionFlag, own, env);
  const data = own.get('data');
  const [config, port] = [own.get('config'), own.get('port')];
  const url = valueOf(urlFlag, own, data === undefined ? env : {});
  const key = readKey(own.get('key-file'), env);
  return {
    ...(agent === undefined ? {} : { agent: withoutAt(agent) }),
    ...(session === undefined ? {} : { session }),
    ...(url === undefined ? {} : { url, urlSource: own.has('url') ? '--url' : 'COTERIE_URL' }),
    ...(data === undefined ? {} : { data }),
    ...(config === undefined ? {} : { config }),
    ...(port === undefined ? {} : { port }),
    ...(key === undefined ? {} : { key }),
  };
}

function valueOf(flag: Flag, own: ReadonlyMap<string, string>, env: Environment): string | undefined {
  const typed = own.get(flag.name);
  if (typed !== undefined || flag.env === undefined) return typed;
  // Launchers set an empty variable for "none".
  const value = env[flag.env] || undefined;
  if (value !== undefined && flag.read?.(value) === undefined) throw badValue(flag.env, value, flag.allowed);
  return value;
}
