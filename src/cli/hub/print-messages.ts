// What wait and inbox share: messages are taken on a manual lease, written out, and only then acknowledged. A command
// that is killed, or whose reader went away, loses nothing: what it took comes again.
import type { OutputOf } from '../../contract/operation.js';
import { operations } from '../../contract/operations/index.js';
import { messageBlock } from '../show/message-text.js';
import { printJson, printLines } from '../show/print.js';
import type { HubLine } from './connect.js';

export type HandedOut = OutputOf<typeof operations.getMessages>;

export interface HandOut {
  readonly answer: HandedOut;
  readonly isJson: boolean;
  /** Absent after a mere look, which took nothing. */
  readonly lease?: Lease;
  /** For people: what to do next. */
  readonly lastLines: readonly string[];
}

interface Lease {
  readonly hub: HubLine;
  /** The reader's name, where the connection does not carry it. */
  readonly agentId: unknown;
  /** `--ack manual`: whoever called acknowledges by itself, with the cursor it is shown. */
  readonly isLeftOpen: boolean;
}

export async function writeThenAcknowledge({ answer, isJson, lease, lastLines }: HandOut): Promise<void> {
  const { cursor } = answer;
  const isLeased = lease !== undefined && cursor !== null && answer.messages.length > 0;
  const settle = async (release: boolean) => {
    if (isLeased) await lease.hub.ask(operations.ackMessages, { cursor, release, agentId: lease.agentId });
  };
  const isLeftOpen = isLeased && lease.isLeftOpen;
  const onLease = isLeftOpen ? [`Acknowledge with: coterie call ack_messages --cursor ${cursor}`] : [];
  try {
    await (isJson ? printJson(answer) : printLines([...blocksOf(answer), ...onLease, ...lastLines]));
  } catch (error) {
    // Not written, so not read: given back at once rather than when the lease runs out.
    await settle(true).catch(() => {});
    throw error;
  }
  if (!isLeftOpen) await settle(false);
}

/** A blank line between messages, and before what follows them. */
function blocksOf({ messages, threads }: HandedOut): string[] {
  return messages.flatMap((message, index) => [...(index === 0 ? [] : ['']), ...messageBlock(message, threads)]);
}
