// A key as administrators see it. Its secret is shown once, when the key is made.
import { z } from 'zod';
import { keyCapabilities } from './operation.js';
import { inLine } from './text/in-line.js';

const wholeKeyPattern = /coterie_([a-z0-9]{12})_[A-Za-z0-9_-]*/;

/** A whole key that was given in place of its id means its id; the secret goes no further. */
export function keyIdIn(given: string): string {
  return wholeKeyPattern.exec(given)?.[1] ?? given;
}

/** For a text that may quote what someone typed. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(new RegExp(wholeKeyPattern, 'g'), 'coterie_$1_…');
}

export const keyRef = z
  .string()
  .overwrite(keyIdIn)
  .regex(/^[a-z0-9]{12}$/, 'must be the id of a key, 12 letters and digits');

export const keyView = z.object({
  id: z.string(),
  sessionId: z.string(),
  agentId: z.string().nullable().describe('Null for an observer'),
  capabilities: z.array(z.enum(keyCapabilities)),
  label: z.string(),
  state: z.enum(['active', 'expired', 'revoked']),
  createdAt: z.string(),
  createdBy: z.string().describe('The id of a key, or cli'),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
});

export type KeyView = z.output<typeof keyView>;

/** Whose key it is and what it may do, in one line. */
export function keyText({ id, agentId, sessionId, capabilities, label, expiresAt }: KeyView): string {
  const who = agentId === null ? 'an observer' : `'${agentId}'`;
  const until = expiresAt === null ? 'does not expire' : `expires ${expiresAt}`;
  const named = label === '' ? '' : `, label "${label}"`;
  return inLine(`key ${id} for ${who} in session '${sessionId}': ${capabilities.join(', ')}; ${until}${named}`);
}
