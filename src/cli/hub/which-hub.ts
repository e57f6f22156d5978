// Which hub a command uses, and why: the one that was named, else the hub of a data folder (config/which-folder.ts).
import { resolve } from 'node:path';
import { loadPlace } from '../../config.js';
import { urlOf } from '../../listen.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { withoutEndSlashes } from '../../contract/base-url.js';

export type HubPlace =
  | { readonly kind: 'folder'; readonly folder: string; readonly why: string }
  | { readonly kind: 'address'; readonly url: string; readonly why: string };

export function whichHub({ url, urlSource, data, config, port }: HubChoice): HubPlace {
  if (url !== undefined) return { kind: 'address', url: withoutEndSlashes(url), why: `${urlSource} names this hub` };
  const flags = Object.entries({ data, config, port }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  );
  const place = loadPlace(flags, data === undefined ? process.env : withoutDatabase(process.env));
  if (place.database === null) return { kind: 'folder', folder: resolve(place.data), why: place.dataWhy };
  const why = 'a hub with --database has no folder: its usual address';
  return { kind: 'address', url: urlOf(place), why };
}

/** A folder that was typed means its hub, also where new hubs would use a database. */
function withoutDatabase(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, COTERIE_DATABASE_URL: '' };
}
