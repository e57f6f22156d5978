// Waits until so many calls are parked at a hub that has keys.
import { eventually } from '../support/eventually.js';
import { ask, bearer } from './ask.js';

export function parkedAt(url: string, key: string, count: number): Promise<boolean> {
  return eventually(`${count} waits parked`, async () => {
    const { text } = await ask(url, { path: '/metrics', headers: [bearer(key)] });
    return /^coterie_waits_parked (\d+)$/m.exec(text)?.[1] === String(count);
  });
}
