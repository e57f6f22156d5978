// Thread and member rows: SQL that is the same in both databases.
import type { CreateThreadPlan, ThreadRecord } from '../../ports/store.js';
import type { InThread, Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';

export function* insertThread(tx: Statements, plan: CreateThreadPlan): Steps<void> {
  const { sessionId, threadId, title, creator, critical, isPrivate, at } = plan;
  yield* tx.factsChange(sessionId, { threadId });
  yield* tx.run(
    `insert into thread (session_id, id, title, status, creator, is_critical, is_private, created_at)
     values (?, ?, ?, 'open', ?, ?, ?, ?)`,
    [sessionId, threadId, title, creator, Number(critical !== null), Number(isPrivate), at],
  );
}

export function* deleteMember(tx: Statements, { sessionId, threadId }: InThread, id: string): Steps<void> {
  yield* tx.factsChange(sessionId, { threadId });
  yield* tx.run('delete from member where session_id = ? and thread_id = ? and agent_id = ?', [
    sessionId,
    threadId,
    id,
  ]);
}

/** As the store port requires it. */
export function* findThreadOrNull(tx: Statements, { sessionId, threadId }: InThread): Steps<ThreadRecord | null> {
  return (yield* tx.findThread(sessionId, threadId)) ?? null;
}
