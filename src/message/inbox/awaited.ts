// Tells the reader of a critical thread's messages who waits for its answer, and until when.
import { systemAgentId } from '../../contract/ids.js';
import type { Clock } from '../../ports/clock.js';
import type { Store } from '../../ports/store.js';
import type { ReadAnswer } from './take-copies.js';
import { viewAwaited } from './view.js';

export interface AwaitedPorts {
  store: Pick<Store, 'awaitedAnswers'>;
  clock: Clock;
}

interface Reader {
  sessionId: string;
  agentId: string;
}

/** A result stays short; more are rare, and are told of with their next message. */
const threadsMax = 5;

export async function withAwaited(
  ports: AwaitedPorts,
  { sessionId, agentId }: Reader,
  answer: ReadAnswer,
): Promise<ReadAnswer> {
  try {
    // All messages of a critical thread are urgent; notices are too, but ask nothing.
    const threadIds = answer.output.messages.flatMap(({ urgent, sender, threadId }) =>
      urgent === true && sender !== systemAgentId && threadId !== undefined ? [threadId] : [],
    );
    if (threadIds.length === 0) return answer;
    const asked = {
      sessionId,
      agentId,
      threadIds: [...new Set(threadIds)].slice(0, threadsMax),
      now: ports.clock.now(),
    };
    const awaited = (await ports.store.awaitedAnswers(asked)).map(viewAwaited);
    return awaited.length === 0 ? answer : { ...answer, output: { ...answer.output, awaited } };
  } catch (error) {
    answer.replyOutcome?.unsent();
    throw error;
  }
}
