// Where a client's configuration leads to: the hub, the name and the program that its entry names.
import type { EntryPlace } from '../init/client.js';
import { inFile, readClientFile } from '../init/client-file.js';
import { jsonAt } from '../init/edit/json-edit.js';
import { tomlValue } from '../init/edit/toml-edit.js';
import type { Places, Scope } from '../init/setup.js';

/** Where a client was found to be connected. */
export interface Connected {
  readonly places: Places;
  readonly scope: Scope;
}

export interface ClientEntry {
  /** Of the hub, without /mcp. */
  readonly url?: string;
  readonly data?: string;
  readonly agent?: string;
  readonly hasKey: boolean;
  readonly keyFile?: string;
  /** What it starts, if it is on stdio. */
  readonly command?: readonly string[];
}

/** Undefined where it has none. Throws for a file that it cannot read. */
export function entryAt({ path, keys, form }: EntryPlace): ClientEntry | undefined {
  const text = readClientFile(path);
  if (text === null) return undefined;
  const fields = inFile(path, () => (form === 'json' ? jsonAt(text, keys) : tomlFields(text, keys)));
  if (typeof fields !== 'object' || fields === null) return undefined;
  const entry = new Map<string, unknown>(Object.entries(fields));
  const url = entry.get('url');
  if (typeof url === 'string' && URL.canParse(url)) return overHttp(new URL(url), entry);
  const command = [entry.get('command'), entry.get('args')].flat().filter((word) => typeof word === 'string');
  return command.length === 0 ? undefined : onStdio(command);
}

function tomlFields(text: string, keys: readonly string[]): Record<string, unknown> | undefined {
  const read = (key: string): unknown => {
    const value = tomlValue(text, keys, key);
    try {
      // The texts and lists that init writes are JSON too.
      return value === undefined ? undefined : JSON.parse(value);
    } catch {
      return undefined;
    }
  };
  const [url, command, args] = ['url', 'command', 'args'].map(read);
  const hasEntry = url !== undefined || command !== undefined;
  return hasEntry ? { url, command, args, bearer_token_env_var: read('bearer_token_env_var') } : undefined;
}

function overHttp(url: URL, entry: ReadonlyMap<string, unknown>): ClientEntry {
  const agent = url.searchParams.get('agent');
  return {
    url: `${url.origin}${url.pathname.replace(/\/mcp$/, '')}`,
    hasKey: entry.get('headers') !== undefined || entry.get('bearer_token_env_var') !== undefined,
    ...(agent === null ? {} : { agent }),
  };
}

function onStdio(command: readonly string[]): ClientEntry {
  const valueAfter = (flag: string) => command[command.indexOf(flag) + 1] ?? '';
  const flag = (name: string) => (command.includes(name) ? valueAfter(name) : undefined);
  const [url, data, agent, keyFile] = ['--url', '--data', '--agent', '--key-file'].map(flag);
  return {
    command,
    hasKey: keyFile !== undefined,
    ...(url === undefined ? {} : { url }),
    ...(data === undefined ? {} : { data }),
    ...(agent === undefined || agent === 'auto' ? {} : { agent }),
    ...(keyFile === undefined ? {} : { keyFile }),
  };
}
