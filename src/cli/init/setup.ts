// What a client's configuration is made of: where it is written, which hub and name it leads to, what starts our command.
import { shellArgument } from '../../contract/shell-argument.js';

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

/** The line of a hook or a monitor. */
export function commandLine({ command, agent, hubFlags }: Setup, words: readonly string[], nameFlag: string): string {
  const name = agent === undefined ? [] : [nameFlag, agent];
  return [...command, ...words, ...name, ...hubFlags].map(shellArgument).join(' ');
}
