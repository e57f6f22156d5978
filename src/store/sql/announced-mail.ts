// The mail that a wake would announce. Looks without taking: SQL that is the same in both databases.
import type { Priority } from '../../contract/message.js';
import type { AgentRef } from '../../ports/wake.js';
import type { Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';

export interface Mail {
  unread: number;
  senders: string[];
  highest: Priority;
  /** Some of it is newer than what was announced. */
  isNew: boolean;
}

/** By rank: an interrupt is the most urgent. */
const priorityOf: readonly Priority[] = ['high', 'high', 'normal', 'low'];
const copiesSeen = 200;
const sendersMax = 10;

export function* unreadMail(tx: Statements, { sessionId, agentId }: AgentRef, announced: number): Steps<Mail> {
  const isFree = 'p.lane = 0 and p.lease_token is null and p.digest is null';
  // uses pending's key: one look per rank, however deep the inbox
  const ranks = yield* tx.all<{ urgency: number; first: number | null; newer: number | null }>(
    `select r.urgency,
       (select p.seq from pending p where p.session_id = ? and p.agent_id = ? and ${isFree} and p.rank = r.urgency
        order by p.seq limit 1) as first,
       (select p.seq from pending p where p.session_id = ? and p.agent_id = ? and ${isFree} and p.rank = r.urgency
          and p.seq > ? order by p.seq limit 1) as newer
     from (select 0 as urgency union all select 1 union all select 2 union all select 3) r order by r.urgency limit 4`,
    [sessionId, agentId, sessionId, agentId, announced],
  );
  const highest = ranks.find(({ first }) => first !== null);
  if (highest === undefined) return { unread: 0, senders: [], highest: 'normal', isNew: false };
  // uses pending's key, then message's
  const rows = yield* tx.all<{ sender: string }>(
    `select m.sender from (select p.seq from pending p where p.session_id = ? and p.agent_id = ? and ${isFree}
       order by p.rank, p.seq limit ?) c
     join message m on m.session_id = ? and m.seq = c.seq order by c.seq limit ?`,
    [sessionId, agentId, copiesSeen, sessionId, copiesSeen],
  );
  return {
    unread: yield* tx.countUnread({ sessionId, agentId }),
    senders: [...new Set(rows.map(({ sender }) => sender))].slice(0, sendersMax),
    highest: priorityOf[highest.urgency] ?? 'normal',
    isNew: ranks.some(({ newer }) => newer !== null),
  };
}
