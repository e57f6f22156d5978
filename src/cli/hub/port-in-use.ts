// What to say when a hub's port is in use: often by another hub of the same user.
import type { Place } from '../../config.js';
import { HubError } from '../../contract/errors.js';
import { urlOf } from '../../listen.js';
import { hubAt } from './hub-at.js';

/** A hub on this machine answers at once; another program may never do. */
const answerMsMax = 500;

export async function isPortOfHub(place: Pick<Place, 'host' | 'port' | 'tls'>): Promise<boolean> {
  return (await hubAt(urlOf(place), { waitMs: answerMsMax })) !== undefined;
}

/** The error of a start, with the hub that has the port if there is one. */
export async function explainPortInUse(error: unknown, place: Place): Promise<unknown> {
  if (!(error instanceof HubError) || error.code !== 'PORT_IN_USE') return error;
  const { host, port, database } = place;
  if (!(await isPortOfHub(place))) return error;
  const url = urlOf(place);
  const found = database === null ? 'commands find it by its folder' : 'commands need its --url';
  return new HubError('PORT_IN_USE', `Port ${port} on ${host} is in use by a Coterie hub.`, {
    hint: `Use that hub (--url ${url}), or start this one on a free port: coterie serve --port 0 (${found}).`,
    details: { host, port, url },
    cause: error,
  });
}
