// doctor's check of what init wrote for a client: whether it is all there still, and whether the client runs its hooks.
import { join } from 'node:path';
import { readHubChoice } from '../arguments/hub-flags.js';
import { setupFor } from '../init/choose-server.js';
import type { InitClient } from '../init/client.js';
import { readClientFile } from '../init/client-file.js';
import { readToml } from '../init/edit/toml-statements.js';
import { planInit } from '../init/plan.js';
import { ownerOf, readRecord } from '../init/record.js';
import { shortPath } from '../show/short-path.js';
import type { Check } from './check-setup.js';
import type { Connected } from './client-entry.js';

export async function* checkHooks(client: InitClient, { places, scope }: Connected): AsyncGenerator<Check> {
  const record = readRecord(process.env);
  const options = record.clients[ownerOf(client.id, scope === 'project' ? places.folder : undefined)];
  const again = `coterie init ${client.id}${scope === 'project' ? ' --project' : ''}`;
  if (options === undefined) {
    const says = `${client.title} was connected by hand: hooks and instructions are not checked`;
    yield { name: client.id, state: 'ok', says, fix: `To have them: ${again}` };
    return;
  }
  const given = Object.entries({ url: options.url, data: options.data });
  const choice = readHubChoice(
    new Map(given.flatMap(([flag, value]) => (value === undefined ? [] : [[flag, value] as const]))),
  );
  const setup = await setupFor(places, scope, { options, choice });
  const { changes } = planInit([{ client, setup, options }], record);
  if (changes.length > 0) {
    const says = `not as init writes it: ${changes.map(({ path }) => shortPath(path)).join(', ')}`;
    yield { name: client.id, state: 'wrong', says, fix: `See the difference, and write it: ${again}` };
    return;
  }
  const hooks = client.id === 'codex' ? client.files(setup).find(({ path }) => path.endsWith('hooks.json')) : undefined;
  if (hooks !== undefined && !isTrusted(hooks.path, client.entry(places, 'user').path)) {
    const fix = 'Start codex, and trust it when it asks, or in /hooks.';
    yield {
      name: client.id,
      state: 'wrong',
      says: `Codex does not trust the hook in ${shortPath(hooks.path)} yet`,
      fix,
    };
    return;
  }
  yield { name: client.id, state: 'ok', says: 'hooks and instructions are as init wrote them' };
}

/** Codex keeps what was trusted in its own config.toml: `[hooks.state."FILE:stop:0:0"]` with a `trusted_hash`. */
function isTrusted(file: string, config: string): boolean {
  return readToml(readClientFile(config) ?? '').some(({ table, key }) => {
    const [hooks, state, hook = '', field] = [...table, ...key];
    return hooks === 'hooks' && state === 'state' && hook.startsWith(join(file)) && field === 'trusted_hash';
  });
}
