// In which critical threads an agent's answer is awaited, and until when.
import type { Store } from '../../ports/store.js';
import { isAwaited } from '../../thread/decide-critical.js';
import { findCritical, firstAnswers } from '../sql/critical-threads.js';
import type { Statements } from './statements.js';
import type { Steps } from './steps.js';

type Query = Parameters<Store['awaitedAnswers']>[0];
type AwaitedAnswers = Awaited<ReturnType<Store['awaitedAnswers']>>;

export function* awaitedAnswers(tx: Statements, { sessionId, agentId, threadIds, now }: Query): Steps<AwaitedAnswers> {
  const awaited: AwaitedAnswers = [];
  for (const threadId of threadIds) {
    const critical = yield* findCritical(tx, sessionId, threadId);
    if (critical === undefined || critical.deadline <= now) continue;
    const thread = yield* tx.findThread(sessionId, threadId);
    if (thread === undefined) continue;
    const answers = yield* firstAnswers(tx, sessionId, threadId);
    const answered = answers.map((answer) => answer.agentId);
    if (!isAwaited(agentId, critical, { ...thread, answered })) continue;
    awaited.push({ threadId, by: critical.opener, until: critical.deadline });
  }
  return awaited;
}
