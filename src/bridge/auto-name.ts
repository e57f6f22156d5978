// `--agent auto`: a name from the project's folder and the client, which no other agent has.
import { basename } from 'node:path';
import { HubError } from '../contract/errors.js';

const folderCharsMax = 40;
const clientCharsMax = 16;
const namesMax = 99;

/** A name that belongs to this folder and client, and is used by no other bridge as long as this one runs. */
export interface NameClaim {
  /** First used now; before that it may have been another agent's. */
  readonly isNew: boolean;
  /** Gives a new name back. */
  drop(): void;
}

export interface NamePorts {
  folder: string;
  /** Undefined if the name belongs to another folder or client, or another bridge uses it now. */
  claim: (name: string, client: string) => NameClaim | undefined;
  /** Ids that agents of the session have registered. */
  registered: () => Promise<ReadonlySet<string>>;
}

/** The free name with the lowest number: a restarted program gets the one it had, and its mail. */
export async function chooseName(ports: NamePorts, clientName: string | undefined): Promise<string> {
  const client = firstWord(clientName ?? '');
  const base = nameFor(ports.folder, client);
  const registered = await ports.registered();
  for (let number = 1; number <= namesMax; number++) {
    const agent = number === 1 ? base : `${base}-${number}`;
    const claim = ports.claim(agent, client);
    if (claim === undefined) continue;
    if (!claim.isNew || !registered.has(agent)) return agent;
    claim.drop();
  }
  throw new HubError('LIMIT_REACHED', `All ${namesMax} names from ${base} to ${base}-${namesMax} are taken.`, {
    hint: 'Choose a name yourself: --agent NAME.',
  });
}

/** The first name to try. */
export function nameFor(folder: string, client: string): string {
  return `${slug(basename(folder), folderCharsMax) || 'project'}-${client}`;
}

/** `claude-code` is `claude`, `codex-mcp-client` is `codex`. */
function firstWord(clientName: string): string {
  return slug(clientName, 200).split(/[-._]/)[0]?.slice(0, clientCharsMax) || 'agent';
}

/** As an id: letters, digits, dots and hyphens, beginning and ending with a letter or digit. */
function slug(text: string, charsMax: number): string {
  const words =
    text
      .slice(0, 1_000)
      .toLowerCase()
      .match(/[a-z0-9._]+/g) ?? [];
  return words
    .join('-')
    .slice(0, charsMax)
    .replace(/^[._-]{1,200}/, '')
    .replace(/[._-]{1,200}$/, '');
}
