// Who may speak for a person. Pure.
import type { AgentKind } from '../contract/agent.js';
import { HubError } from '../contract/errors.js';
import type { NamedCaller } from '../ports/caller.js';

/** With keys, who has the person's key. In open mode what runs on this machine, but never an agent: it connects over MCP. */
export function requireMaySpeakFor(kind: AgentKind, { agentId, grant }: NamedCaller, transport: 'mcp' | 'http'): void {
  if (kind !== 'human') return;
  const isPerson = grant === null ? transport === 'http' : grant.isPerson;
  if (!isPerson) throw personForbidden(agentId);
}

export function personForbidden(id: string): HubError {
  return new HubError('FORBIDDEN', `'${id}' is a person, and an agent cannot speak for one.`, {
    hint: 'Connect under a name of your own. A person uses the command line, HTTP with the header coterie-agent, or a key.',
    details: { agentId: id },
  });
}

export function personStays(id: string): HubError {
  return new HubError('FORBIDDEN', `'${id}' is a person, and only the person can leave.`, {
    hint: 'To end what the person may do, revoke the key: list_keys, then revoke_key.',
    details: { agentId: id },
  });
}
