// The state of a copy, as both stores read it, and the receipt made from it.
import type { CopyState, DeadReason } from '../../contract/message.js';
import type { Receipt } from '../../ports/store.js';

/** `state` is null if the copy has not ended. */
export interface CopyStateRow {
  seq: number;
  agent_id: string;
  state: CopyState | null;
  at: number | null;
  attempts: number;
  delivered_at: number | null;
  reason: DeadReason | null;
  isLeased: boolean | number;
  expires_at: number | null;
}

export interface ReceiptFacts {
  sentAt: number;
  now: number;
  /** For the opening of a critical thread: when the recipient first answered. */
  answeredAt: number | null;
}

export function toReceipt(row: CopyStateRow, { sentAt, now, answeredAt }: ReceiptFacts): Receipt {
  const { agent_id: recipient, state, at, attempts, delivered_at: deliveredAt, reason, expires_at: expiresAt } = row;
  const copy = { recipient, attempts, deliveredAt, answeredAt };
  if (state !== null) return { ...copy, state, at: at ?? sentAt, reason };
  const isLeased = Boolean(row.isLeased);
  // Expired but not yet reaped: it is not delivered any more.
  if (!isLeased && expiresAt !== null && expiresAt <= now) {
    return { ...copy, state: 'expired', at: expiresAt, reason: 'EXPIRED' };
  }
  const since = isLeased ? (deliveredAt ?? sentAt) : sentAt;
  return { ...copy, state: isLeased ? 'delivered' : 'pending', at: since, reason: null };
}

export function recipientsOf({ recipients }: { recipients: string }): string[] {
  return JSON.parse(recipients) as string[];
}

export function copyMissing(seq: number, recipient: string): Error {
  return new Error(`copy ${seq} of ${recipient} is in neither table`);
}

/** Why a copy reports its end: its sender wants a receipt, or the opening of a critical thread is read by all. */
export const receiptKinds = { copy: 1, opening: 2 } as const;
