// Checks a paired device by the secret that this command made, and pins its keys.
import { join } from 'node:path';
import { userFolder } from '../../config/which-folder.js';
import type { DeviceView } from '../../contract/signal/device.js';
import { HubError } from '../../contract/errors.js';
import { pinDevice, pinsFileName } from '../../files/pins.js';
import { isPairingMac, requireKid } from '../../signal/envelope/index.js';

export const pinsFile = (env: NodeJS.ProcessEnv = process.env) => join(userFolder(env), pinsFileName);

/** Throws unless the device had the link's secret and these are its keys. */
export async function requireSecretOf(device: DeviceView & { mac: string | null }, secret: string): Promise<void> {
  const { kid, person, mac } = device;
  const isItsOwn = await requireKid(device).then(
    () => true,
    () => false,
  );
  if (isItsOwn && mac !== null && (await isPairingMac(secret, { kid, person, mac }))) return;
  throw new HubError('PAIRING_INVALID', `The keys of '${device.name}' were not made with this link: not verified.`, {
    hint: `Something between the device and you changed them. End it: coterie devices revoke ${device.id}`,
    details: { deviceId: device.id },
  });
}

export function pin(device: DeviceView, { hubKid, session }: { hubKid: string; session: string }): void {
  const { kid, person, name } = device;
  pinDevice(pinsFile(), hubKid, { kid, person, session, name, pinnedAt: new Date().toISOString() });
}
