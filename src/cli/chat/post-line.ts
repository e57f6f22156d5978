// Posts a line. It is posted once, also when the hub restarts while it is sent.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { lostOutcomeOf } from '../../client/unreachable.js';
import type { OutputOf } from '../../contract/operation.js';
import { operations } from '../../contract/operations/index.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { connect } from '../hub/connect.js';

const retryMs = 250;
/** How long a line is kept for a hub that is away. */
const retryMsMax = 60_000;

export type Posted = OutputOf<typeof operations.sendMessage>;

/** Throws what the hub answers, or that no hub answered in time. */
export async function postLine(
  choice: HubChoice,
  threadId: string,
  { text, signal }: { text: string; signal: AbortSignal },
): Promise<Posted> {
  const startedAt = performance.now();
  const draft = { threadId, content: text, idempotencyKey: randomUUID() };
  for (;;) {
    try {
      return await connect(choice).call(operations.sendMessage, draft);
    } catch (error) {
      const isOver = signal.aborted || performance.now() - startedAt > retryMsMax;
      if (isOver || lostOutcomeOf(error) === undefined) throw error;
      await sleep(retryMs, undefined, { signal }).catch(() => {});
    }
  }
}
