// Whether a dead letter may be delivered again. Pure: the store calls it in its transaction with the facts it read.
import { HubError } from '../../contract/errors.js';
import { deadLetterIdOf } from '../../contract/ids.js';
import type { ThreadRecord } from '../../ports/store.js';

export interface ReplayFacts {
  number: number;
  recipient: string;
  isRegistered: boolean;
  isGroup: boolean;
  /** False when the inbox is full. */
  hasRoom: boolean;
  /** The thread the message is in; null if it is in none, or its threadId is only a label. */
  thread: ThreadRecord | null;
  expiresAt: number | null;
  now: number;
}

/** Refuses, or returns the copy's expiry. A past expiry is dropped, or the copy would expire again at once. */
export function decideReplay(facts: ReplayFacts): { expiresAt: number | null } {
  const { recipient, thread, expiresAt, now } = facts;
  if (!facts.isRegistered) throw recipientUnknown(facts);
  if (thread !== null && !thread.members.includes(recipient)) {
    throw new HubError('FORBIDDEN', `'${recipient}' is not in thread '${thread.id}'. It stays a dead letter.`, {
      hint: 'Add them with add_participant and replay it again, or discard_dead_letter.',
      details: { id: deadLetterIdOf(facts.number), recipient, threadId: thread.id },
    });
  }
  if (!facts.hasRoom) {
    throw new HubError('INBOX_FULL', `The inbox of '${recipient}' is full. It stays a dead letter.`, {
      hint: `Replay it again when '${recipient}' has read some messages; list_agents shows how many are unread.`,
      details: { id: deadLetterIdOf(facts.number), recipient },
    });
  }
  return { expiresAt: expiresAt !== null && expiresAt <= now ? null : expiresAt };
}

export function deadLetterUnknown(id: string): HubError {
  return new HubError('DEAD_LETTER_UNKNOWN', `No dead letter '${id}'.`, {
    hint: 'Call get_dead_letters for the ids; one that was replayed or discarded is gone.',
    details: { id },
  });
}

function recipientUnknown({ number, recipient, isGroup }: ReplayFacts): HubError {
  const what = isGroup
    ? `'${recipient}' is a group, and a replay goes to one agent.`
    : `No agent '${recipient}' is registered.`;
  return new HubError('AGENT_UNKNOWN', `${what} It stays a dead letter.`, {
    hint: isGroup
      ? 'Send it to the group again with send_message, then discard_dead_letter.'
      : `Call register_agent with agentId '${recipient}' and replay it again, or discard_dead_letter.`,
    details: { id: deadLetterIdOf(number), recipient },
  });
}
