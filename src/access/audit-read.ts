// Records that mail of others was read. Called before the answer is given: if the entry cannot be stored, it is refused.
import type { AuditEntry } from '../ports/audit.js';
import type { Caller } from '../ports/caller.js';
import type { Clock } from '../ports/clock.js';
import type { Store } from '../ports/store.js';
import { auditEntry } from './audit-entry.js';

export interface AuditPorts {
  store: Pick<Store, 'appendAudit'>;
  clock: Clock;
}

/** Not in open mode: everyone may read everything there, and names prove nothing. */
export async function auditRead(
  { store, clock }: AuditPorts,
  caller: Caller,
  { act, target, details }: Pick<AuditEntry, 'act' | 'target' | 'details'>,
): Promise<void> {
  if (caller.grant === null) return;
  await store.appendAudit(auditEntry(caller, clock.now(), act, target, details));
}
