// The `mcp-session-id` given to 2025-era clients. It identifies their cancellations and contains their name. The hub
// stores nothing under it and accepts any value.
import { randomBytes } from 'node:crypto';

export const labelHeader = 'mcp-session-id';

export function newLabel(clientName: string): string {
  const name = Buffer.from(clientName.slice(0, 60)).toString('base64url');
  return `c${randomBytes(9).toString('base64url')}.${name}`;
}

export function clientNameOf(label: string | undefined): string | undefined {
  const encoded = label?.split('.')[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64url').toString('utf8');
}
