// doctor's checks of the clients on this machine: whether each is connected, under which name, with its hooks, and whether it was woken.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import { nameFor } from '../../bridge/auto-name.js';
import { toHubError } from '../../contract/errors.js';
import { operations } from '../../contract/operations/index.js';
import { readHubChoice, type HubChoice } from '../arguments/hub-flags.js';
import { connect } from '../hub/connect.js';
import { hubAt } from '../hub/hub-at.js';
import { runningHub } from '../hub/running-hub.js';
import { whichHub } from '../hub/which-hub.js';
import type { InitClient } from '../init/client.js';
import { findProgram, installedClients } from '../init/installed.js';
import type { Places } from '../init/setup.js';
import { shortPath } from '../show/short-path.js';
import type { Check } from './check-setup.js';
import { checkHooks } from './check-hooks.js';
import { checkWake } from './check-wake.js';
import { entryAt, type ClientEntry, type Connected } from './client-entry.js';

export async function* checkClients(): AsyncGenerator<Check> {
  const { env, platform } = process;
  const places = { home: env['HOME'] || homedir(), folder: process.cwd(), env, platform };
  for (const { client } of installedClients(places)) {
    try {
      yield* checkClient(client, places);
    } catch (error) {
      const { message, hint } = toHubError(error);
      yield { name: client.id, state: 'wrong', says: message, fix: hint };
    }
  }
}

async function* checkClient(client: InitClient, places: Places): AsyncGenerator<Check> {
  let isConnected = false;
  for (const scope of client.scopes) {
    const entry = entryAt(client.entry(places, scope));
    if (entry === undefined) continue;
    isConnected = true;
    yield* checkConnected(client, entry, { places, scope });
  }
  if (isConnected) return;
  const says = `${client.title} is here, and not connected`;
  yield { name: client.id, state: 'ok', says, fix: `Connect it: coterie init ${client.id}` };
}

async function* checkConnected(client: InitClient, entry: ClientEntry, at: Connected): AsyncGenerator<Check> {
  const where = at.scope === 'project' ? `${client.title} in this folder` : client.title;
  const wrong = (says: string, fix: string): Check => ({
    name: client.id,
    state: 'wrong',
    says: `${where}: ${says}`,
    fix,
  });
  const again = `coterie init ${client.id}${at.scope === 'project' ? ' --project' : ''}`;
  const missing = missingProgram(entry, at.places);
  if (missing !== undefined) {
    yield wrong(`its entry starts ${missing}, which is not there`, `Write it anew: ${again}`);
    return;
  }
  const choice = choiceFor(entry);
  const place = whichHub(choice);
  const url = place.kind === 'address' ? place.url : runningHub(place.folder)?.url;
  const found = url === undefined ? undefined : await hubAt(url, { key: choice.key });
  if (place.kind === 'address' && found === undefined) {
    yield wrong(
      `no hub answers at ${place.url}, which its entry names`,
      `Start the hub, or name another: ${again} --url URL`,
    );
    return;
  }
  const name = entry.agent ?? (entry.hasKey ? undefined : nameFor(at.places.folder, client.id));
  const as =
    entry.agent !== undefined ? `as ${entry.agent}` : entry.hasKey ? 'with its key' : `as ${name} in this folder`;
  const hub = url ?? (place.kind === 'folder' ? `the hub of ${shortPath(place.folder)}, which it starts` : '');
  yield { name: client.id, state: 'ok', says: `${where} reaches ${hub} ${as}` };
  if (found?.refusal === null && name !== undefined) yield* checkName(client.id, { ...choice, url: url ?? '' }, name);
  yield* checkHooks(client, at);
  if (found?.refusal === null) yield* checkWake(client, { ...choice, ...(url === undefined ? {} : { url }) }, name);
}

/** A key that only the client's environment has is not known here. */
function choiceFor({ url, data, keyFile }: ClientEntry): HubChoice {
  const given = Object.entries({ url, data, 'key-file': keyFile });
  return readHubChoice(
    new Map(given.flatMap(([flag, value]) => (value === undefined ? [] : [[flag, value] as const]))),
  );
}

/** The program itself, or the script that Node runs. */
function missingProgram({ command = [] }: ClientEntry, places: Places): string | undefined {
  const [program, script] = command;
  if (program === undefined) return undefined;
  const isThere = isAbsolute(program) ? existsSync(program) : findProgram([program], places) !== undefined;
  if (!isThere) return program;
  return script !== undefined && isAbsolute(script) && !existsSync(script) ? script : undefined;
}

async function* checkName(client: string, choice: HubChoice, name: string): AsyncGenerator<Check> {
  const { agent: _, ...watching } = choice;
  const { agents } = await connect(watching).call(operations.listAgents, {});
  const found = agents.find(({ id }) => id === name);
  if (found === undefined) return;
  const { presence, connections = 0 } = found;
  if (connections < 2) {
    const use = connections === 1 ? 'used by one program' : 'free';
    yield { name: client, state: 'ok', says: `the name ${name} is ${use} (${presence})` };
    return;
  }
  const says = `${connections} programs use the name ${name}, and share its mail`;
  yield { name: client, state: 'wrong', says, fix: `Give each a name of its own: coterie init ${client} --agent NAME` };
}
