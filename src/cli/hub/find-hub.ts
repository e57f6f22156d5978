// Where the hub is: the address given, or the one the hub of the data folder noted, or the standard one.
import { isAlive } from '../../bridge/is-alive.js';
import { HubError } from '../../contract/errors.js';
import { readHubNote, type HubNote } from '../../store/sqlite/writer/data-folder.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { badValue } from '../arguments/read-args.js';

const folderStandard = './.coterie';
const portStandard = '4100';

/** The note of a hub that was killed stays behind; its process does not. */
export function livingHub(data: string | undefined): HubNote | undefined {
  const note = readHubNote(data ?? folderStandard);
  return note !== undefined && isAlive(note.pid) ? note : undefined;
}

function standardUrl(): string {
  const port = process.env['COTERIE_PORT'] || portStandard;
  if (!/^\d{1,5}$/.test(port)) throw badValue('COTERIE_PORT', port, '0 to 65535');
  // A hub on a port it picked is found by its note alone.
  return `http://127.0.0.1:${port === '0' ? portStandard : port}`;
}

/** Looks anew at each call: a hub that was restarted may have another address. */
export function findHub({ url, data }: HubChoice): string {
  if (url !== undefined) return url.replace(/\/+$/, '');
  const note = livingHub(data);
  if (note !== undefined) return note.url;
  // A folder that was named has its hub or none; another's hub would be the wrong one.
  if (data !== undefined) throw noHub(`No hub runs for the data folder ${data}.`, { data });
  return standardUrl();
}

/** Says how to start a hub, where the client only knows that none answered. */
export function explainNoHub(error: HubError, choice: HubChoice): HubError {
  const isNobodyThere = error.code === 'HUB_UNREACHABLE' && error.details['outcome'] === 'not_sent';
  return isNobodyThere ? noHub(error.message, choice, error) : error;
}

function noHub(message: string, { url, data }: HubChoice, cause?: unknown): HubError {
  const start = data === undefined ? 'coterie serve' : `coterie serve --data ${data}`;
  const other = url === undefined ? 'or name a running one with --url or --data' : 'or check the address';
  return new HubError('HUB_UNREACHABLE', message, {
    hint: `Start one: ${start} (${other}).`,
    details: { outcome: 'not_sent' },
    cause,
  });
}
