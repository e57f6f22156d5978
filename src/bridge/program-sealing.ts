// The keys with which `coterie mcp` encrypts for its agent: a file of the user's own for each hub, session and agent.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Sealing } from '../client/sealed/index.js';
import { pinnedDevices, pinsFileName } from '../files/pins.js';
import { programMemory } from '../files/program-memory.js';

export interface SealingPlace {
  /** The user's own folder, also of the pinned devices. */
  folder: string;
  /** What tells hubs apart: a data folder, or a URL. */
  hub: string;
  session: string;
  requireE2e: boolean;
}

export function programSealing({ folder, hub, session, requireE2e }: SealingPlace, agent: string): Sealing {
  const place = createHash('sha256').update([hub, session, agent].join('\0')).digest('hex').slice(0, 16);
  const memory = programMemory(join(folder, 'signal', `${agent}-${place}.json`));
  const pins = join(folder, pinsFileName);
  return new Sealing({ memory, requireE2e, isVerified: (hubKid, kid) => pinnedDevices(pins, hubKid).has(kid) });
}
