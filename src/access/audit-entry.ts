// The audit entry of a caller's act.
import type { AuditEntry } from '../ports/audit.js';
import type { Caller } from '../ports/caller.js';

/** Details hold ids and counts, never what a message says. */
export function auditEntry(
  { sessionId, agentId, grant, address }: Caller,
  at: number,
  act: string,
  target: string,
  details: AuditEntry['details'] = {},
): AuditEntry {
  return { sessionId, at, actor: agentId ?? '', keyId: grant?.keyId ?? null, address, act, target, details };
}
