// What a client's configuration is made of: where it is written, which hub and name it leads to, what starts our command.
import { shellArgument } from '../../contract/shell-argument.js';
import { usage } from '../arguments/usage.js';
import { autoName } from '../hub/hook-name.js';

export type Scope = 'user' | 'project';

/** How the client reaches the hub. */
export type Server =
  | { readonly kind: 'http'; readonly url: string; readonly hasKey: boolean }
  | { readonly kind: 'stdio'; readonly command: readonly string[] };

/** A key has its agent's name. */
export function hasKey(server: Server): boolean {
  return server.kind === 'http' ? server.hasKey : server.command.includes('--key-file');
}

export interface Places {
  readonly home: string;
  /** Of the project. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

export interface Setup extends Places {
  readonly scope: Scope;
  readonly server: Server;
  /** Undefined: the name is made of folder and client, or comes from the key. */
  readonly agent: string | undefined;
  /** What starts the command `coterie`. */
  readonly command: readonly string[];
  /** What leads the command to this hub. */
  readonly hubFlags: readonly string[];
}

/** The line of a hook or a monitor, which a client gives to a shell. */
export function commandLine(
  { command, agent, hubFlags, platform }: Pick<Setup, 'command' | 'agent' | 'hubFlags' | 'platform'>,
  words: readonly string[],
  nameFlag: string,
): string {
  const all = [...command, ...words, nameFlag, agent ?? autoName, ...hubFlags];
  for (const word of all) requireQuotable(word, platform);
  return all.map((word) => shellArgument(word, platform)).join(' ');
}

/** On Windows it depends on the client which shell it is, and no form of quotes holds in all of them. */
function requireQuotable(word: string, platform: NodeJS.Platform): void {
  const shown = JSON.stringify(word);
  const hint = 'Rename the folder or the file, or name another with --data or --key-file.';
  if (/[\n\r\0]/.test(word)) throw usage(`${shown} has a line break or a NUL: no hook can be written with it.`, hint);
  if (platform === 'win32' && /["$`%]/.test(word)) {
    throw usage(`${shown} cannot be quoted for every shell of Windows: it has one of " $ \` %.`, hint);
  }
}
