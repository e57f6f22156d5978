// To whom a dead letter may be delivered again. Pure: the store calls it in its transaction with the facts it read.
import { HubError } from '../../contract/errors.js';
import { deadLetterIdOf, systemAgentId } from '../../contract/ids.js';
import type { DeadReason } from '../../contract/message.js';
import type { ThreadRecord } from '../../ports/store.js';

export interface AddressedLetter {
  number: number;
  recipient: string;
  reason: DeadReason;
  isRegistered: boolean;
  /** The registered members of the group of that name, without the sender; null if there is no such group. */
  members: string[] | null;
}

/**
 * The recipient; for a letter to a group that was empty, the members it has now. A group that took the name of an agent
 * since gets nothing: the letter was not for its members.
 */
export function decideRecipients(letter: AddressedLetter): string[] {
  const { recipient, reason, members } = letter;
  if (letter.isRegistered) return [recipient];
  if (reason !== 'GROUP_EMPTY' || members === null) throw recipientUnknown(letter);
  if (members.length > 0) return members;
  throw new HubError('GROUP_EMPTY', `Group '${recipient}' still has no registered member but the sender. ${stays}`, {
    hint: `Add members with set_group and replay it again, or discard_dead_letter.`,
    details: { id: deadLetterIdOf(letter.number), recipient },
  });
}

export interface ReplayFacts {
  number: number;
  recipients: readonly string[];
  /** Those whose inbox is full. */
  full: readonly string[];
  /** The thread the message is in; null if it is in none, or its threadId is only a label. */
  thread: ThreadRecord | null;
  expiresAt: number | null;
  now: number;
}

/** Refuses, or returns the copies' expiry. A past expiry is dropped, or they would expire again at once. */
export function decideReplay(facts: ReplayFacts): { expiresAt: number | null } {
  const { recipients, thread, expiresAt, now } = facts;
  const outside = thread === null ? undefined : recipients.find((id) => !thread.members.includes(id));
  if (thread !== null && outside !== undefined) {
    throw new HubError('FORBIDDEN', `'${outside}' is not in thread '${thread.id}'. ${stays}`, {
      hint: 'Add them with add_participant and replay it again, or discard_dead_letter.',
      details: { id: deadLetterIdOf(facts.number), recipient: outside, threadId: thread.id },
    });
  }
  const [full] = facts.full;
  if (full !== undefined) {
    throw new HubError('INBOX_FULL', `The inbox of '${full}' is full. ${stays}`, {
      hint: `Replay it again when '${full}' has read some messages; list_agents shows how many are unread.`,
      details: { id: deadLetterIdOf(facts.number), recipient: full },
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

const stays = 'It stays a dead letter.';

function recipientUnknown(letter: AddressedLetter): HubError {
  const { what, hint } = whyUnknown(letter);
  return new HubError('AGENT_UNKNOWN', `${what} ${stays}`, {
    hint,
    details: { id: deadLetterIdOf(letter.number), recipient: letter.recipient },
  });
}

function whyUnknown({ recipient, reason, members }: AddressedLetter): { what: string; hint: string } {
  if (recipient === systemAgentId) {
    return {
      what: `'${systemAgentId}' is the hub itself, which reads no messages.`,
      hint: 'Send it to an agent with send_message (list_agents has the ids), then discard_dead_letter.',
    };
  }
  if (members !== null) {
    return {
      what: `'${recipient}' is a group, and a replay goes to one agent.`,
      hint: 'Send it to the group again with send_message, then discard_dead_letter.',
    };
  }
  if (reason === 'GROUP_EMPTY') {
    return {
      what: `There is no group '${recipient}' any more.`,
      hint: `Make it with set_group and replay it again, or discard_dead_letter.`,
    };
  }
  return {
    what: `No agent '${recipient}' is registered.`,
    hint: `Call register_agent with agentId '${recipient}' and replay it again, or discard_dead_letter.`,
  };
}
