// A person's device and its pairing, as callers see them.
import { z } from 'zod';
import { filledText } from '../fields.js';
import { publicKeys } from './signal.js';
import { inLine } from '../text/in-line.js';

export const deviceRef = z.string().regex(/^d-[a-z0-9]{12}$/, 'must be the id of a device, such as d-k7m2p9x4q6ab');

export const deviceName = filledText('nameChars').overwrite((given) => given.trim());

export const deviceView = publicKeys.extend({
  id: z.string(),
  person: z.string(),
  name: z.string(),
  verified: z.boolean().describe('Its keys are known to be its own; only then it may decide permission prompts'),
  pairedAt: z.string(),
  verifiedAt: z.string().nullable(),
  lastSeenAt: z.string().nullable(),
  isThis: z.boolean().optional().describe('The call came from this device'),
});
export type DeviceView = z.output<typeof deviceView>;

export function deviceText({ id, person, name, verified, lastSeenAt }: DeviceView): string {
  const seen = lastSeenAt === null ? 'never seen' : `seen ${lastSeenAt}`;
  return inLine(`${id} "${name}" of ${person}, ${verified ? 'verified' : 'not verified'}, ${seen}`);
}

// Apart, because the page uses it and has no zod.
export * from './pairing-link.js';
