// Which hub a client is connected to, and how: a program on stdio that finds the hub and starts it, or its address.
import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { userFolder } from '../../config/which-folder.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { autoName } from '../hub/hook-name.js';
import { hubAt, whyNoHub } from '../hub/hub-at.js';
import { runningHub } from '../hub/running-hub.js';
import { whichHub, type HubPlace } from '../hub/which-hub.js';
import { findProgram } from './installed.js';
import type { InitOptions } from './record.js';
import type { Places, Scope, Setup } from './setup.js';

const commandFile = fileURLToPath(new URL('../main.js', import.meta.url));

/** `choice` is of the folder where this runs; options that were recorded count as given. */
export async function setupFor(
  places: Places,
  scope: Scope,
  { options, choice }: { options: InitOptions; choice: HubChoice },
): Promise<Setup> {
  const place = whichHub(choice);
  const url = place.kind === 'address' ? place.url : runningHub(place.folder)?.url;
  const hasKeys = url === undefined ? false : await asksForKeys(url, place);
  const command = startsCoterie(places);
  const keyFlags = options.keyFile === undefined ? [] : ['--key-file', resolve(options.keyFile)];
  const hubFlags = [...keyFlags, ...flagsFor(place, places, scope)];
  // A key has its agent's name.
  const isNamed = !hasKeys && keyFlags.length === 0 && options.agent !== undefined && options.agent !== autoName;
  const agent = isNamed ? options.agent : undefined;
  const shared = { ...places, scope, command, hubFlags, agent };
  if (hasKeys && keyFlags.length === 0) return { ...shared, server: { kind: 'http', url: `${url}/mcp`, hasKey: true } };
  if (agent !== undefined && place.kind === 'address') {
    return { ...shared, server: { kind: 'http', url: `${place.url}/mcp?agent=${agent}`, hasKey: false } };
  }
  const name = keyFlags.length > 0 ? [] : ['--agent', agent ?? autoName];
  return { ...shared, server: { kind: 'stdio', command: [...command, 'mcp', ...name, ...hubFlags] } };
}

/** A hub that is named by its address must answer: whether it asks for keys decides what is written. */
async function asksForKeys(url: string, place: HubPlace): Promise<boolean> {
  const found = await hubAt(url);
  if (found === undefined && place.kind === 'address') throw await whyNoHub(url);
  return found !== undefined && found.refusal !== null;
}

/** The command of that name, if it is this program: a path may change with the next release. */
function startsCoterie(places: Places): string[] {
  const found = places.platform === 'win32' ? undefined : findProgram(['coterie'], places);
  const isThis = found !== undefined && realpathSync(found) === realpathSync(commandFile);
  return isThis ? ['coterie'] : ['node', commandFile];
}

/** The user's own hub is found without a flag from every folder, that of a project from within it. */
function flagsFor(place: HubPlace, { folder, env }: Places, scope: Scope): string[] {
  if (place.kind === 'address') return ['--url', place.url];
  const isFound =
    place.folder === userFolder(env) ||
    (scope === 'project' && place.folder === join(realpathSync(folder), '.coterie'));
  return isFound ? [] : ['--data', place.folder];
}
