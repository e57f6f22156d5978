// What the person chose for this device alone.
import { read, write } from './database.js';

/** True if a notification says only that someone asks, for whoever sees the lock screen. */
export async function hidesContent(): Promise<boolean> {
  return (await read<boolean>('own', 'hidesContent')) ?? false;
}

export async function hideContent(isHidden: boolean): Promise<void> {
  await write('own', 'hidesContent', isHidden);
}
