// Who is in a new thread. Pure: the store calls it in the transaction that creates the thread.
import { HubError } from '../contract/errors.js';
import { systemAgentId } from '../contract/ids.js';
import { systemIsNoMember } from './decide-thread-change.js';

export interface NewMembership {
  /** In the order of joining, the creator first: this order decides who owns the thread when the owner leaves. */
  members: string[];
  unknown: string[];
}

/** Unknown participants are left out and reported; if none but the creator is known, the thread is refused. */
export function decideThreadCreation(
  creator: string,
  participants: readonly string[],
  isRegistered: (id: string) => boolean,
): NewMembership {
  if (participants.includes(systemAgentId)) throw systemIsNoMember();
  const others = [...new Set(participants)].filter((id) => id !== creator);
  const unknown = others.filter((id) => !isRegistered(id));
  if (others.length > 0 && unknown.length === others.length) {
    throw new HubError('PARTICIPANTS_UNKNOWN', `None of these agents is registered: ${unknown.join(', ')}.`, {
      hint: 'Call list_agents for the ids, or wait_for_agents until they are here.',
      details: { unknownParticipants: unknown },
    });
  }
  return { members: [creator, ...others.filter((id) => !unknown.includes(id))], unknown };
}
