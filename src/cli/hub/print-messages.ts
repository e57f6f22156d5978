// Shared by wait and inbox: leases messages manually, prints them, and only then acknowledges. If the command is killed
// or its output is closed, the messages are redelivered.
import type { OutputOf } from '../../contract/operation.js';
import { operations } from '../../contract/operations/index.js';
import { messageBlock } from '../show/message-text.js';
import { printJson, printLines } from '../show/print.js';
import type { ConnectedHub } from './connect.js';

export type MessagesResult = OutputOf<typeof operations.getMessages>;

export interface PrintedMessages {
  readonly answer: MessagesResult;
  readonly isJson: boolean;
  /** Absent after a peek, which leases nothing. */
  readonly lease?: Lease;
  /** Hints for people. */
  readonly lastLines: readonly string[];
}

interface Lease {
  readonly hub: ConnectedHub;
  /** The reader, if it is not the connection's agent. */
  readonly agentId: unknown;
  /** `--ack manual`: the user acknowledges, with the printed cursor. */
  readonly isManualAck: boolean;
}

export async function printThenAcknowledge({ answer, isJson, lease, lastLines }: PrintedMessages): Promise<void> {
  const { cursor } = answer;
  const isLeased = lease !== undefined && cursor !== null && answer.messages.length > 0;
  const settle = async (release: boolean) => {
    if (isLeased) await lease.hub.call(operations.ackMessages, { cursor, release, agentId: lease.agentId });
  };
  const isManualAck = isLeased && lease.isManualAck;
  const ackLines = isManualAck ? [`Acknowledge with: coterie call ack_messages --cursor ${cursor}`] : [];
  try {
    await (isJson ? printJson(answer) : printLines([...blocksOf(answer), ...ackLines, ...lastLines]));
  } catch (error) {
    // Not printed, so not read: release now instead of waiting for the lease to expire.
    await settle(true).catch(() => {});
    throw error;
  }
  if (!isManualAck) await settle(false);
}

/** A blank line between messages, and before what follows them. */
function blocksOf({ messages, threads }: MessagesResult): string[] {
  return messages.flatMap((message, index) => [...(index === 0 ? [] : ['']), ...messageBlock(message, threads)]);
}
