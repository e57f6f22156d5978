// Thread and member rows: SQL that is the same in both databases.
import type { CreateThreadPlan } from '../../ports/store.js';
import type { Inbox, InThread, Statements } from '../rules/statements.js';
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

/** An agent in more threads than this is not asked for titles: two might have the same, and looking takes time. */
const threadsLookedAt = 5_000;

/** The agent's open threads with one of these titles, by title. */
export function* openThreadsTitled(
  tx: Statements,
  { sessionId, agentId }: Inbox,
  titles: readonly string[],
): Steps<ReadonlyMap<string, string[]>> {
  // uses member_by_agent, then thread's key
  const rows = yield* tx.all<{ id: string; title: string; looked: number }>(
    `with own as (select thread_id from member where session_id = ? and agent_id = ? limit ?)
     select t.id, t.title, (select count(*) from own) as looked
     from own join thread t on t.session_id = ? and t.id = own.thread_id
     where t.title in (${titles.map(() => '?').join(', ')}) and t.status = 'open' order by t.id`,
    [sessionId, agentId, threadsLookedAt + 1, sessionId, ...titles],
  );
  const byTitle = new Map<string, string[]>();
  for (const { id, title, looked } of rows) {
    if (looked <= threadsLookedAt) byTitle.set(title, [...(byTitle.get(title) ?? []), id]);
  }
  return byTitle;
}
