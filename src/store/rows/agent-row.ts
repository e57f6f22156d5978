// The agent row of both stores.
import type { AgentKind } from '../../contract/agent.js';
import type { AgentRecord } from '../../ports/store.js';

export interface AgentRow {
  id: string;
  name: string;
  description: string;
  capabilities: string;
  kind: AgentKind;
  owner: string;
  registered_at: number;
  last_seen_at: number;
}

export const agentColumns = 'id, name, description, capabilities, kind, owner, registered_at, last_seen_at';

/** Its unread mail: how much, and since when the oldest waits. */
export interface Waiting {
  unread: number;
  oldestUnreadAt: number | null;
}

/** SQL: the seq of the oldest unread copy of agent `a`, of those that wake. Uses pending's key, once for each rank. */
export const oldestUnread = `(select min(o.seq) from (select (select p.seq from pending p
     where p.session_id = a.session_id and p.agent_id = a.id and p.lane = 0 and p.rank = r.rank
       and p.lease_token is null and p.digest is null order by p.seq limit 1) as seq
   from (select 0 as rank union all select 1 union all select 2 union all select 3) r) o)`;

export function toAgent(row: AgentRow): AgentRecord {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    capabilities: JSON.parse(row.capabilities) as string[],
    kind: row.kind,
    owner: row.owner,
    registeredAt: row.registered_at,
    lastSeenAt: row.last_seen_at,
  };
}
