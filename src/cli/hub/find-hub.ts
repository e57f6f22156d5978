// Finds the hub's URL: given, or recorded in the data folder, or the default.
import { isAlive } from '../../bridge/is-alive.js';
import { HubError } from '../../contract/errors.js';
import { readHubNote, type HubNote } from '../../store/sqlite/writer/data-folder.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { badValue } from '../arguments/read-args.js';

const folderDefault = './.coterie';
const portDefault = '4100';

/** A killed hub leaves its note behind, so the process is checked too. */
export function runningHub(data: string | undefined): HubNote | undefined {
  const note = readHubNote(data ?? folderDefault);
  return note !== undefined && isAlive(note.pid) ? note : undefined;
}

function defaultUrl(): string {
  const port = process.env['COTERIE_PORT'] || portDefault;
  if (!/^\d{1,5}$/.test(port)) throw badValue('COTERIE_PORT', port, '0 to 65535');
  // A hub on a random port is found only by its note.
  return `http://127.0.0.1:${port === '0' ? portDefault : port}`;
}

/** Not cached: a restarted hub may have another URL. */
export function findHub({ url, data }: HubChoice): string {
  if (url !== undefined) return url.replace(/\/+$/, '');
  const note = runningHub(data);
  if (note !== undefined) return note.url;
  // For a named folder, no other hub will do.
  if (data !== undefined) throw noHub(`No hub runs for the data folder ${data}.`, { data });
  return defaultUrl();
}

/** Adds how to start a hub to the client's error. */
export function explainNoHub(error: HubError, choice: HubChoice): HubError {
  const isNotRunning = error.code === 'HUB_UNREACHABLE' && error.details['outcome'] === 'not_sent';
  return isNotRunning ? noHub(error.message, choice, error) : error;
}

function noHub(message: string, { url, data }: HubChoice, cause?: unknown): HubError {
  const start = data === undefined ? 'coterie serve' : `coterie serve --data ${data}`;
  const other = url === undefined ? 'or name a running one with --url or --data' : 'or check the URL';
  return new HubError('HUB_UNREACHABLE', message, {
    hint: `Start one: ${start} (${other}).`,
    details: { outcome: 'not_sent' },
    cause,
  });
}
