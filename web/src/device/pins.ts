// The keys of each sender as they were when it first sent something. Another key later may be a new machine, or someone
// else: the person is told, and says which.
import type { EncryptionLevel, PublicKeys } from '../../../src/contract/signal/signal.js';
import { read, write } from './database.js';
import type { Device } from './identity.js';

/** Whose keys: the sealer of a question is the hub, or the program beside the agent. */
export interface Sealer {
  from: string;
  encryption: EncryptionLevel;
  senderKeys: PublicKeys;
}

export type SenderTrust = 'known' | 'changed';

export async function checkSender(device: Device, sealer: Sealer): Promise<SenderTrust> {
  if (sealer.encryption === 'device') return sealer.senderKeys.kid === device.hub.kid ? 'known' : 'changed';
  const pinned = await read<PublicKeys>('pins', sealer.from);
  if (pinned === undefined) await acceptSender(sealer);
  return pinned === undefined || pinned.kid === sealer.senderKeys.kid ? 'known' : 'changed';
}

/** The first keys of a sender, or new ones that the person accepts. The hub's are accepted by pairing again only. */
export async function acceptSender({ from, senderKeys }: Sealer): Promise<void> {
  await write('pins', from, senderKeys);
}
