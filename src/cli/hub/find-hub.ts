// Finds the URL of the hub that a command uses.
import { HubError } from '../../contract/errors.js';
import { shellArgument } from '../../contract/shell-argument.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { runningHub } from './running-hub.js';
import { whichHub } from './which-hub.js';

/** Not cached: a restarted hub may have another URL. */
export function findHub(choice: HubChoice): string {
  const place = whichHub(choice);
  if (place.kind === 'address') return place.url;
  const hub = runningHub(place.folder);
  if (hub === undefined) throw noHub(`No hub runs for ${place.folder}.`, choice);
  return hub.url;
}

/** Adds how to start a hub to the client's error. */
export function explainNoHub(error: HubError, choice: HubChoice): HubError {
  const isNotRunning =
    error.code === 'HUB_UNREACHABLE' && error.details['outcome'] === 'not_sent' && error.details['fault'] === undefined;
  return isNotRunning ? noHub(error.message, choice, error) : error;
}

/** The command that starts the hub of this choice. */
export function startCommand({ data }: HubChoice): string {
  return data === undefined ? 'coterie serve' : `coterie serve --data ${shellArgument(data)}`;
}

function noHub(message: string, choice: HubChoice, cause?: unknown): HubError {
  const other =
    choice.url === undefined
      ? 'or name a running one with --url or --data; coterie where explains the choice'
      : 'or check the URL';
  return new HubError('HUB_UNREACHABLE', message, {
    hint: `Start one: ${startCommand(choice)} (${other}).`,
    details: { outcome: 'not_sent' },
    cause,
  });
}
