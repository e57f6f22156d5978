// get_receipts: the state of every copy of a message, for its sender and for admins.
import { auditRead, type AuditPorts } from '../../access/audit-read.js';
import { HubError } from '../../contract/errors.js';
import type { getReceipts as contract } from '../../contract/operations/get-receipts.js';
import type { InputOf, OutputOf } from '../../contract/operation.js';
import type { ReceiptView } from '../../contract/receipt.js';
import { isAdmin, type Caller } from '../../ports/caller.js';
import type { AttemptView } from '../../contract/wake.js';
import type { Receipt, Store } from '../../ports/store.js';
import type { WakeAttempt } from '../../ports/wake.js';

export interface ReceiptPorts extends AuditPorts {
  store: Pick<Store, 'receipts' | 'wakesAnnouncing'> & AuditPorts['store'];
  viewAttempt: (attempt: WakeAttempt) => AttemptView;
}

export async function getReceipts(
  ports: ReceiptPorts,
  caller: Caller,
  { messageId }: InputOf<typeof contract>,
): Promise<OutputOf<typeof contract>> {
  const found = await ports.store.receipts({ sessionId: caller.sessionId, messageId, now: ports.clock.now() });
  const maySee = found !== null && (found.message.sender === caller.agentId || isAdmin(caller));
  if (!maySee) {
    throw new HubError('MESSAGE_UNKNOWN', `No message '${messageId}' of yours.`, {
      hint: 'Use the messageId that send_message returned.',
      details: { messageId },
    });
  }
  const { sender } = found.message;
  if (sender !== caller.agentId) {
    await auditRead(ports, caller, { act: 'get_receipts', target: sender, details: { messageId } });
  }
  const deliveries = found.deliveries.map(viewReceipt);
  return { messageId, deliveries: await withWakes(ports, caller, { seq: found.message.seq, deliveries }) };
}

async function withWakes(
  { store, viewAttempt }: ReceiptPorts,
  { sessionId }: Caller,
  { seq, deliveries }: { seq: number; deliveries: ReceiptView[] },
): Promise<ReceiptView[]> {
  const agentIds = deliveries.map(({ recipient }) => recipient);
  const found = await store.wakesAnnouncing({ sessionId, seq, agentIds });
  return deliveries.map((delivery) => {
    const wakes = found.filter(({ agentId }) => agentId === delivery.recipient);
    return wakes.length === 0 ? delivery : { ...delivery, wakes: wakes.map(({ attempt }) => viewAttempt(attempt)) };
  });
}

export function viewReceipt(receipt: Receipt): ReceiptView {
  const { recipient, state, at, attempts, deliveredAt, answeredAt, reason } = receipt;
  return {
    recipient,
    state,
    at: new Date(at).toISOString(),
    attempts,
    ...(deliveredAt === null ? {} : { deliveredAt: new Date(deliveredAt).toISOString() }),
    ...(answeredAt === null ? {} : { answeredAt: new Date(answeredAt).toISOString() }),
    ...(reason === null ? {} : { reason }),
  };
}
