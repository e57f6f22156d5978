// The `mcp-session-id` handed to 2025-era clients. It labels their cancellations and tells their name; the hub keeps
// nothing under it, and any value a client sends is accepted.
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
