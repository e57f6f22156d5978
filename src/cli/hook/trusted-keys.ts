// Whose signature decides a prompt, and to whom it is sealed.
import { join } from 'node:path';
import { userFolder } from '../../config/which-folder.js';
import { operations } from '../../contract/operations/index.js';
import type { PublicKeys } from '../../contract/signal/signal.js';
import { pinnedDevices, pinsFileName } from '../../files/pins.js';
import type { SignalKeys } from '../../signal/envelope/index.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { hubFactsAt } from '../devices/hub-facts.js';
import { connect } from '../hub/connect.js';
import { findHub } from '../hub/find-hub.js';

export interface Trusted {
  devices: PublicKeys[];
  /** They, and a hub with keys, which signs for whoever answers with a person's key. */
  senders: PublicKeys[];
  session: string;
}

/**
 * At a hub with keys, devices that it lists as verified, or that were verified on this machine. In open mode only the latter:
 * there any program of this machine could have verified a device of its own at the hub.
 */
export async function trustedKeys(
  choice: HubChoice,
  { keys, to, signal }: { keys: SignalKeys; to: string | undefined; signal: AbortSignal },
): Promise<Trusted> {
  const hub = connect(choice);
  await hub.call(operations.setAgentKey, { ...keys.public }, { signal });
  const known = await hub.call(operations.getSignalKeys, to === undefined ? {} : { people: [to] }, { signal });
  const pinned = pinnedDevices(join(userFolder(process.env), pinsFileName), known.hub.kid);
  // A key in the environment says nothing of the hub: one in open mode does not look at it.
  const hasKeys = choice.key !== undefined && (await hubFactsAt(findHub(choice)))?.mode === 'keys';
  const devices = known.devices.filter(({ kid, person, verified }) => {
    return pinned.get(kid)?.person === person || (hasKeys && verified);
  });
  return { devices, senders: [...devices, ...(hasKeys ? [known.hub] : [])], session: known.session };
}
