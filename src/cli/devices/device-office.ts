// Where `coterie pair` and `coterie devices` make their changes: at the hub, or in its store for whoever may write that.
import type { DeviceView } from '../../contract/signal/device.js';
import { HubError } from '../../contract/errors.js';
import type { OutputOf } from '../../contract/operation.js';
import type { getPairing } from '../../contract/operations/get-pairing.js';
import type { PublicKeys } from '../../contract/signal/signal.js';
import type { DeviceChange } from '../../ports/devices.js';
import type { Flag } from '../arguments/flag.js';
import { readHubChoice, type HubChoice } from '../arguments/hub-flags.js';
import { forCommandLine } from '../hub/connect.js';
import { findHub } from '../hub/find-hub.js';
import { officeFlags, openLocalStore } from '../keys/key-office.js';
import { hubFactsAt, type HubFacts } from './hub-facts.js';
import { localDevices } from './local-devices.js';
import { remoteDevices } from './remote-devices.js';

/** People look after their own devices, so no administrator's key is needed. */
export const deviceOfficeFlags: readonly Flag[] = officeFlags.map((flag) =>
  flag.name === 'url' ? { ...flag, help: 'a hub elsewhere; needs the person’s key' } : flag,
);

export interface StartedPairing {
  readonly pairingId: string;
  readonly person: string;
  /** Null: by the link only. */
  readonly code: string | null;
  readonly expiresAt: string;
}

export type PairingView = Pick<OutputOf<typeof getPairing>, 'state' | 'triesLeft' | 'device'>;

export interface DeviceOffice {
  /** Undefined if no hub runs. */
  readonly hub: HubFacts | undefined;
  readonly session: string;
  /** `person` undefined: the only one there is. */
  start(person: string | undefined, claimHash: string): Promise<StartedPairing>;
  /** Waits a while for the device. */
  pairing(started: StartedPairing): Promise<PairingView>;
  list(person?: string): Promise<DeviceView[]>;
  change(device: DeviceView, change: DeviceChange): Promise<DeviceView>;
  /** The hub's public keys, for a safety number. */
  hubKeys(): Promise<PublicKeys>;
  close(): Promise<void>;
}

/** With a key, or in open mode, through the hub; else, and for an operator, in the store of this machine. */
export async function inDeviceOffice<Result>(
  own: ReadonlyMap<string, string>,
  work: (office: DeviceOffice) => Promise<Result>,
  { isOperator = false } = {},
): Promise<Result> {
  const isLocal = own.has('data') || own.has('database');
  const choice = readHubChoice(own, isLocal ? { ...process.env, COTERIE_URL: '' } : process.env);
  const hub = await hubOf(choice);
  const isAllowed = choice.key !== undefined || hub?.mode === 'open';
  const isThroughHub = choice.url !== undefined || (isAllowed && !isOperator);
  const office = isThroughHub
    ? remoteDevices(choice, hub)
    : localDevices(await openLocalStore(own), { session: choice.session, hub });
  try {
    return await work(office);
  } catch (error) {
    throw error instanceof HubError && !isThroughHub ? forCommandLine(error, choice) : error;
  } finally {
    await office.close();
  }
}

/** What the hub that a command would use says of itself; undefined if none runs. */
export async function hubOf(choice: HubChoice): Promise<HubFacts | undefined> {
  let url: string;
  try {
    url = findHub(choice);
  } catch (error) {
    if (error instanceof HubError && error.code === 'HUB_UNREACHABLE') return undefined;
    throw error;
  }
  return hubFactsAt(url);
}

export function noHubRuns(why = 'a device is paired with one that does'): HubError {
  return new HubError('HUB_UNREACHABLE', `No hub runs here, and ${why}.`, {
    hint: 'Start it: coterie serve. Or name a running one with --url or --data.',
  });
}
