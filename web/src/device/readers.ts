// The public keys of the person's devices, kept for when there is no connection: who reads an answer, and who may still
// need the key of a question.
import type { PublicKeys } from '../../../src/contract/signal/signal.js';
import { callHub } from './call-hub.js';
import { read, write } from './database.js';

export interface ReaderDevice extends PublicKeys {
  id: string;
  person: string;
  name: string;
  verified: boolean;
}

export async function fetchReaders(): Promise<ReaderDevice[]> {
  const { devices } = await callHub<{ devices: ReaderDevice[] }>('get_signal_keys', {});
  await write('own', 'readers', devices);
  const seen = new Map([...(await seenReaders()), ...devices].map((device) => [device.kid, device]));
  await write('own', 'seen', [...seen.values()]);
  return devices;
}

/** Also those that were revoked since: what they answered before still shows. */
export async function seenReaders(): Promise<ReaderDevice[]> {
  return (await read<ReaderDevice[]>('own', 'seen')) ?? [];
}

/** As they were when the app was last open. */
export async function keptReaders(): Promise<ReaderDevice[]> {
  return (await read<ReaderDevice[]>('own', 'readers')) ?? [];
}
