// Rows of escalations: SQL that is the same in both databases.
import type { AgentRef } from '../../ports/wake.js';
import type { Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';

export interface EscalationRow extends AgentRef {
  seq: number;
  sender: string;
  createdAt: number;
  dueAt: number;
}

export function* countEscalations(
  tx: Statements,
  { sessionId, sender }: { sessionId: string; sender: string },
): Steps<number> {
  // uses escalation_by_sender
  const row = yield* tx.get<{ count: number }>(
    'select count(*) as count from escalation where session_id = ? and sender = ? and due_at is not null',
    [sessionId, sender],
  );
  return row?.count ?? 0;
}

export function* insertEscalation(tx: Statements, row: EscalationRow): Steps<void> {
  yield* tx.run(
    `insert into escalation (session_id, agent_id, seq, sender, created_at, due_at) values (?, ?, ?, ?, ?, ?)
     on conflict do nothing`,
    [row.sessionId, row.agentId, row.seq, row.sender, row.createdAt, row.dueAt],
  );
}

export function* dueEscalations(
  tx: Statements,
  { now, limit }: { now: number; limit: number },
): Steps<EscalationRow[]> {
  // uses escalation_by_due
  const rows = yield* tx.all<{
    session_id: string;
    agent_id: string;
    seq: number;
    sender: string;
    created_at: number;
    due_at: number;
  }>(
    `/* all sessions: escalations that are due */ select session_id, agent_id, seq, sender, created_at, due_at
     from escalation where due_at is not null and due_at <= ? order by due_at limit ?`,
    [now, limit],
  );
  return rows.map((row) => ({
    sessionId: row.session_id,
    agentId: row.agent_id,
    seq: row.seq,
    sender: row.sender,
    createdAt: row.created_at,
    dueAt: row.due_at,
  }));
}

/** False if another hub has moved it. Null ends it: the row stays, so that a repeated send does not begin it again. */
export function* moveEscalation(
  tx: Statements,
  { sessionId, agentId, seq, dueAt }: Omit<EscalationRow, 'sender' | 'createdAt'>,
  to: number | null,
): Steps<boolean> {
  const changed = yield* tx.run(
    'update escalation set due_at = ? where session_id = ? and agent_id = ? and seq = ? and due_at = ?',
    [to, sessionId, agentId, seq, dueAt],
  );
  return changed > 0;
}

export function* endEscalation(tx: Statements, { sessionId, agentId, seq }: AgentRef & { seq: number }): Steps<void> {
  yield* tx.run('update escalation set due_at = null where session_id = ? and agent_id = ? and seq = ?', [
    sessionId,
    agentId,
    seq,
  ]);
}

/** No route is left to try: people are asked at once. */
export function* hastenEscalations(tx: Statements, { sessionId, agentId }: AgentRef, at: number): Steps<void> {
  // uses escalation's key
  yield* tx.run(
    'update escalation set due_at = ? where session_id = ? and agent_id = ? and due_at is not null and due_at > ?',
    [at, sessionId, agentId, at],
  );
}

const prunedPerStep = 100;

/** Of a recipient: those that ended long ago. */
export function* pruneEscalations(tx: Statements, { sessionId, agentId }: AgentRef, before: number): Steps<void> {
  // uses escalation's key
  yield* tx.run(
    `delete from escalation where session_id = ? and agent_id = ? and seq in (select seq from escalation
       where session_id = ? and agent_id = ? and due_at is null and created_at < ? order by seq limit ?)`,
    [sessionId, agentId, sessionId, agentId, before, prunedPerStep],
  );
}

const lanes = [0, 1];
const ranks = [0, 1, 2, 3];

/** Whether the copy waits unread, handed out or not. */
export function* isUnread(tx: Statements, { sessionId, agentId, seq }: AgentRef & { seq: number }): Steps<boolean> {
  for (const lane of lanes) {
    for (const rank of ranks) {
      // uses pending's key: one look each, where a list of lanes and ranks would read the whole inbox
      const row = yield* tx.get(
        'select 1 as found from pending where session_id = ? and agent_id = ? and lane = ? and rank = ? and seq = ?',
        [sessionId, agentId, lane, rank, seq],
      );
      if (row !== undefined) return true;
    }
  }
  return false;
}
