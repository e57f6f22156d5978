// Leased copies, grouped by lease.
import { HubError } from '../../contract/errors.js';
import type { CopyKey, LeasedCopies } from '../../ports/store.js';

export type LeasedRow = CopyKey & { lease_token: string };

export function leasesOf(sessionId: string, agentId: string, rows: readonly LeasedRow[]): LeasedCopies[] {
  const leases = new Map<string, LeasedCopies>();
  for (const { lane, rank, seq, lease_token: token } of rows) {
    const lease = leases.get(token) ?? { sessionId, agentId, token, keys: [] };
    lease.keys.push({ lane, rank, seq });
    leases.set(token, lease);
  }
  return [...leases.values()];
}

export function messageUnknown(messageId: string): HubError {
  return new HubError('MESSAGE_UNKNOWN', `No message '${messageId}'.`, {
    hint: 'Use the ids of messages that you received.',
    details: { messageId },
  });
}
