// Critical threads: who was asked, and each member's first answer, kept so that counting them needs no look at history.
import { systemAgentId } from '../../../contract/ids.js';
import type { Appended, SendPlan } from '../../../ports/store.js';
import type { CriticalThread, FirstAnswer } from '../../../thread/decide-critical.js';
import { toCritical, type CriticalRow, type NewCriticalThread } from '../../rows/critical-row.js';
import { findThread } from './thread-rows.js';
import type { Tx } from '../connection/transaction.js';

/** Written after the opening, so that the opening itself is no answer. */
export async function openCritical(tx: Tx, critical: NewCriticalThread): Promise<void> {
  const { sessionId, threadId, opener, opening, wanted, required, eligible, deadline } = critical;
  await tx.run(
    `insert into critical_thread (session_id, thread_id, opener, opening, wanted, required, eligible, deadline)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[sessionId, threadId, opener, opening.seq, wanted, JSON.stringify(required), JSON.stringify(eligible), deadline],
  );
  // uses pending's key; no one else has seen these copies yet
  await tx.run(
    `update pending p set wants_receipt = 2
     from unnest(?::text[]) r (id) cross join (values (0), (1)) l (lane) cross join (values (0), (1), (2), (3)) k (rank)
     cross join lateral (select ctid as place from pending
       where session_id = ? and agent_id = r.id and lane = l.lane and rank = k.rank and seq = ? offset 0) c
     where p.ctid = c.place and p.session_id = ?`,
    ...[opening.recipients.map(({ id }) => id), sessionId, opening.seq, sessionId],
  );
}

export async function findCritical(tx: Tx, sessionId: string, threadId: string): Promise<CriticalThread | undefined> {
  const row = await tx.get<CriticalRow>(
    `select opener, opening, wanted, required, eligible, deadline from critical_thread
     where session_id = ? and thread_id = ?`,
    ...[sessionId, threadId],
  );
  return row === undefined ? undefined : toCritical(row);
}

/** A member's first post after the opening; later ones change nothing. */
export async function noteAnswer(
  tx: Tx,
  { sessionId, sender, at }: SendPlan,
  { threadId, seq }: Appended,
): Promise<void> {
  if (threadId === null || sender === systemAgentId) return;
  if ((await findThread(tx, sessionId, threadId))?.isCritical !== true) return;
  await tx.run(
    `insert into critical_answer (session_id, thread_id, agent_id, seq, at)
     select session_id, thread_id, ?, ?, ? from critical_thread where session_id = ? and thread_id = ?
     on conflict (session_id, thread_id, agent_id) do nothing`,
    ...[sender, seq, at, sessionId, threadId],
  );
}

/** In order of `seq`. At most one for each that ever was a member. */
export async function firstAnswers(tx: Tx, sessionId: string, threadId: string): Promise<FirstAnswer[]> {
  // uses critical_answer's key
  return tx.all<FirstAnswer>(
    `select agent_id as "agentId", seq, at from critical_answer where session_id = ? and thread_id = ?
     order by seq limit 100000`,
    ...[sessionId, threadId],
  );
}
