// The agent that a hook of a client acts for: the given one, else the one whose bridge the same client runs. Never a guess: a hook
// that takes another agent's mail loses it.
import { realpathSync } from 'node:fs';
import { readHubChoice, type HubChoice } from '../arguments/hub-flags.js';
import { clientPid } from '../wake/client-process.js';
import { namesInUse, namesPlace } from './claim-name.js';
import { whichHub } from './which-hub.js';

/** As for `coterie mcp --agent auto`, whatever COTERIE_AGENT says: that may be the person at the terminal. */
export const autoName = 'auto';

export interface HookOrigin {
  /** As a bridge calls it in names: `claude`. */
  readonly client: string;
  /** Where the client says that it is. CLAUDE_PROJECT_DIR, which several clients set for hooks, is where it started. */
  readonly folder: string;
}

/** Undefined if there is no such agent, or several may be meant. Without a name, that of COTERIE_AGENT, as with `coterie mcp`. */
export function hookChoice(own: ReadonlyMap<string, string>, origin: HookOrigin): HubChoice | undefined {
  const choice = readHubChoice(own);
  const given = own.get('as') ?? own.get('agent') ?? choice.agent ?? autoName;
  if (given !== autoName) return choice;
  const { agent: _, ...unnamed } = choice;
  if (own.has('key-file')) return unnamed;
  const agent = claimedName(unnamed, origin);
  if (agent !== undefined) return { ...unnamed, agent };
  return unnamed.key === undefined ? undefined : unnamed;
}

/** By the folder, and the process of the client, which has started both. */
export function claimedName(choice: HubChoice, { client, folder }: HookOrigin): string | undefined {
  const places = [folder, process.env['CLAUDE_PROJECT_DIR'] ?? folder].flatMap((path) => [path, realFolder(path)]);
  const inUse = namesInUse(namesPlace(whichHub(choice)), { session: choice.session ?? 'default', client });
  const here = inUse.filter((one) => places.includes(one.folder));
  // The windows of Cursor share processes, and have a folder each.
  const pid = here.length === 0 || client === 'cursor' ? undefined : clientPid();
  const ofClient = pid === undefined ? here : here.filter((one) => one.clientPid === pid);
  const found = ofClient.length > 0 ? ofClient : here.filter((one) => one.clientPid === undefined);
  return found.length === 1 ? found[0]?.name : undefined;
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
