// Critical threads and their answers: SQL that is the same in both databases.
import type { CriticalThread, FirstAnswer } from '../../thread/decide-critical.js';
import { criticalColumns, toCritical, type CriticalRow } from '../rows/critical-row.js';
import type { InThread, Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';

export function* findCritical(tx: Statements, sessionId: string, threadId: string): Steps<CriticalThread | undefined> {
  // uses critical_thread's key
  const row = yield* tx.get<CriticalRow>(
    `select ${criticalColumns} from critical_thread where session_id = ? and thread_id = ?`,
    [sessionId, threadId],
  );
  return row === undefined ? undefined : toCritical(row);
}

/** Only the first answer of an agent is stored. */
export function* insertAnswer(
  tx: Statements,
  { sessionId, threadId }: InThread,
  { agentId, seq, at }: FirstAnswer,
): Steps<void> {
  yield* tx.run(
    `insert into critical_answer (session_id, thread_id, agent_id, seq, at)
     select session_id, thread_id, ?, ?, ? from critical_thread where session_id = ? and thread_id = ?
     on conflict (session_id, thread_id, agent_id) do nothing`,
    [agentId, seq, at, sessionId, threadId],
  );
}

/** In order of `seq`, one per agent that has answered. */
export function* firstAnswers(tx: Statements, sessionId: string, threadId: string): Steps<FirstAnswer[]> {
  // uses critical_answer's key
  return yield* tx.all<FirstAnswer>(
    `select agent_id as "agentId", seq, at from critical_answer where session_id = ? and thread_id = ?
     order by seq limit 100000`,
    [sessionId, threadId],
  );
}

export function* saveAllRead(tx: Statements, { sessionId, threadId }: InThread, at: number): Steps<void> {
  yield* tx.run('update critical_thread set all_read_at = ? where session_id = ? and thread_id = ?', [
    at,
    sessionId,
    threadId,
  ]);
}
