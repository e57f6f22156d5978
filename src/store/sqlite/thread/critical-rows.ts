// Critical threads: who was asked, and each member's first answer, kept so that counting them needs no look at history.
import { systemAgentId } from '../../../contract/ids.js';
import type { Appended, SendPlan } from '../../../ports/store.js';
import type { CriticalThread, FirstAnswer } from '../../../thread/decide-critical.js';
import { toCritical, type CriticalRow, type NewCriticalThread } from '../../rows/critical-row.js';
import { findThread } from './thread-rows.js';
import type { Tx } from '../writer/transaction.js';

/** Written after the opening, so that the opening itself is no answer. */
export function openCritical(tx: Tx, critical: NewCriticalThread): void {
  const { sessionId, threadId, opener, opening, wanted, required, eligible, deadline } = critical;
  tx.run(
    `insert into critical_thread (session_id, thread_id, opener, opening, wanted, required, eligible, deadline)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[sessionId, threadId, opener, opening.seq, wanted, JSON.stringify(required), JSON.stringify(eligible), deadline],
  );
  for (const { id } of opening.recipients) {
    // uses pending's key
    tx.run(
      `update pending set wants_receipt = 2
       where session_id = ? and agent_id = ? and lane in (0, 1) and rank in (0, 1, 2, 3) and seq = ?`,
      ...[sessionId, id, opening.seq],
    );
  }
}

export function findCritical(tx: Tx, sessionId: string, threadId: string): CriticalThread | undefined {
  const row = tx.get<CriticalRow>(
    `select opener, opening, wanted, required, eligible, deadline from critical_thread
     where session_id = ? and thread_id = ?`,
    ...[sessionId, threadId],
  );
  return row === undefined ? undefined : toCritical(row);
}

/** A member's first post after the opening; later ones change nothing. */
export function noteAnswer(tx: Tx, { sessionId, sender, at }: SendPlan, { threadId, seq }: Appended): void {
  if (threadId === null || sender === systemAgentId) return;
  if (findThread(tx, sessionId, threadId)?.isCritical !== true) return;
  tx.run(
    `insert or ignore into critical_answer (session_id, thread_id, agent_id, seq, at)
     select session_id, thread_id, ?, ?, ? from critical_thread where session_id = ? and thread_id = ?`,
    ...[sender, seq, at, sessionId, threadId],
  );
}

/** In order of `seq`. At most one for each that ever was a member. */
export function firstAnswers(tx: Tx, sessionId: string, threadId: string): FirstAnswer[] {
  // uses critical_answer's key
  return tx.all<FirstAnswer>(
    `select agent_id as agentId, seq, at from critical_answer where session_id = ? and thread_id = ?
     order by seq limit 100000`,
    ...[sessionId, threadId],
  );
}
