// Keys in memory: answers do not open after the program ends, unless it keeps the keys itself.
import type { PublicKeys } from '../../contract/signal/signal.js';
import { newKeys, type SignalKeys } from '../../signal/envelope/index.js';
import type { ProgramMemory } from './sealing.js';

export function memoryOf(keys: Promise<SignalKeys> = newKeys(true)): ProgramMemory {
  const seen: Record<string, PublicKeys> = {};
  return {
    keys: () => keys,
    seen: () => Promise.resolve(seen),
    noteSeen(devices) {
      Object.assign(seen, devices);
      return Promise.resolve();
    },
  };
}
