// The inboxes of removed agents whose copies have not ended yet. SQL that is the same in both databases.
import type { Inbox, Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';

/** At most this many copies are counted. */
const countedMax = 1_000_000;

export function* countCopies(tx: Statements, { sessionId, agentId }: Inbox): Steps<number> {
  // uses pending's key
  const row = yield* tx.get<{ count: number }>(
    `select count(*) as count from (select 1 as one from pending where session_id = ? and agent_id = ? limit ?) copies`,
    [sessionId, agentId, countedMax],
  );
  return row?.count ?? 0;
}

export function* insertRemovedInbox(
  tx: Statements,
  { sessionId, agentId }: Inbox,
  { seq, at }: { seq: number; at: number },
): Steps<void> {
  yield* tx.run('insert into removed_inbox (session_id, agent_id, seq, at) values (?, ?, ?, ?)', [
    sessionId,
    agentId,
    seq,
    at,
  ]);
}

export function* findRemovedInbox(
  tx: Statements,
  { sessionId, agentId }: Inbox,
): Steps<{ seq: number; at: number } | undefined> {
  // uses removed_inbox's key
  return yield* tx.get('select seq, at from removed_inbox where session_id = ? and agent_id = ?', [sessionId, agentId]);
}

export function* deleteRemovedInbox(tx: Statements, { sessionId, agentId }: Inbox): Steps<void> {
  yield* tx.run('delete from removed_inbox where session_id = ? and agent_id = ?', [sessionId, agentId]);
}

/** Usually none: of those that a hub did not end to the last copy. */
export function* removedInboxes(tx: Statements): Steps<Inbox[]> {
  // all of them: they are few
  return yield* tx.all<Inbox>(
    `/* all sessions: inboxes that are being ended */ select session_id as "sessionId", agent_id as "agentId"
     from removed_inbox order by session_id, agent_id limit 100`,
    [],
  );
}
