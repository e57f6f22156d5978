// This browser is no longer the device it was: it was revoked here, or is paired anew.
import { endLetters } from '../data/outbox.js';
import { clear, remove } from './database.js';

/** After a revocation: what was kept for this device cannot be opened or sent any more. */
export async function forgetDevice(): Promise<void> {
  await endLetters('device');
  await remove('own', 'device');
  await Promise.all([
    remove('own', 'readers'),
    remove('own', 'seen'),
    remove('own', 'renewal'),
    remove('own', 'endpoint'),
    clear('pins'),
    clear('lists'),
  ]);
}
