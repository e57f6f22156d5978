// The audit entry of a change that a test makes directly in the store.
import type { AuditEntry } from '../../dist/ports/store.js';

export function cliAudit(sessionId: string, act = 'test', target = ''): AuditEntry {
  return { sessionId, at: Date.now(), actor: 'cli', keyId: null, address: '', act, target, details: {} };
}
