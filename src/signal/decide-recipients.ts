// To whom a question or an alert goes. Pure: the store calls it in its transaction.
import type { AgentKind } from '../contract/agent.js';
import { HubError } from '../contract/errors.js';
import { nearestIds } from '../contract/input/nearest.js';
import { nameList } from '../contract/text/name-list.js';

export interface RecipientFacts {
  /** The people of the session. */
  people: readonly string[];
  /** Of those named. */
  kinds: ReadonlyMap<string, { kind: AgentKind }>;
}

/** `to` null: every person of the session. */
export function decideRecipients(to: readonly string[] | null, { people, kinds }: RecipientFacts): string[] {
  if (to !== null && to.length > 0) {
    for (const id of to) requirePerson(id, people, kinds.get(id)?.kind);
    return [...new Set(to)];
  }
  if (people.length > 0) return [...people];
  throw new HubError('NO_PERSON', 'There is no person in this session.', {
    hint: 'Someone at the hub adds one with `coterie people add NAME`; then ask again.',
  });
}

function requirePerson(id: string, people: readonly string[], kind: AgentKind | undefined): void {
  if (kind === 'human') return;
  if (kind !== undefined) {
    throw new HubError('NOT_A_PERSON', `'${id}' is an agent, and only people get questions and alerts.`, {
      hint: `Ask an agent with send_message, target "${id}" and message_type "QUERY".`,
      details: { to: id },
    });
  }
  const near = nearestIds(id, people, 3);
  throw new HubError('PERSON_UNKNOWN', `No person '${id.slice(0, 80)}' is in this session.`, {
    hint:
      near.length > 0
        ? `Did you mean ${nameList(near)}? Leave to out to ask everyone.`
        : 'Leave to out to ask every person, or add one with `coterie people add NAME`.',
    details: { to: id.slice(0, 80), nearest: near },
  });
}
