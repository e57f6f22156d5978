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
