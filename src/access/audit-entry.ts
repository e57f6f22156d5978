// The audit entry of an act: who did it, with which key, and from where.
import type { AuditEntry } from '../ports/audit.js';
import type { Caller } from '../ports/caller.js';

export function auditEntry(
  caller: Caller,
  at: number,
  act: string,
  target: string,
  details: AuditEntry['details'] = {},
): AuditEntry {
  const { sessionId, agentId, grant, address } = caller;
  return { sessionId, at, actor: agentId ?? '', keyId: grant?.keyId ?? null, address, act, target, details };
}
