// Waits for the answer to a question. A restart of the hub does not end the wait.
import { setTimeout as sleep } from 'node:timers/promises';
import { lostOutcomeOf } from '../../client/unreachable.js';
import type { OutputOf } from '../../contract/operation.js';
import { operations } from '../../contract/operations/index.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { connect } from '../hub/connect.js';

export type Answer = OutputOf<typeof operations.getResponse>;

export interface AnswerWait {
  questionId: string;
  /** Infinity: until the question ends. */
  waitMs: number;
  signal?: AbortSignal;
  /** The question is known to be on a hub, which may just be restarting. */
  hadHub: boolean;
}

/** How often to retry while the hub restarts. */
const retryMs = 250;
/** One request waits at most this long; see client/wait-in-slices.ts for why there is a limit. */
const requestMsMax = 110_000;

/** Still `pending` once the time has passed. */
export async function awaitAnswer(choice: HubChoice, wait: AnswerWait): Promise<Answer> {
  const { questionId, waitMs, signal } = wait;
  const endsAt = performance.now() + waitMs;
  let { hadHub } = wait;
  for (;;) {
    const leftMs = Math.max(0, Math.ceil(endsAt - performance.now()));
    const requestMs = Math.min(leftMs, requestMsMax);
    const pauseMs = Math.min(leftMs, retryMs);
    try {
      const startedAt = performance.now();
      const answer = await connect(choice).call(operations.getResponse, { questionId, waitMs: requestMs }, { signal });
      hadHub = true;
      if (answer.status !== 'pending' || performance.now() >= endsAt) return answer;
      // A stopping hub answers early.
      if (performance.now() - startedAt < requestMs - retryMs) await sleep(pauseMs, undefined, { signal });
    } catch (error) {
      const lost = lostOutcomeOf(error);
      if (lost === undefined || (lost === 'not_sent' && !hadHub) || leftMs === 0) throw error;
      hadHub = true;
      await sleep(pauseMs, undefined, { signal });
    }
  }
}
