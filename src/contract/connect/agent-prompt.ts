// What to tell an agent about the hub, in its CLAUDE.md or AGENTS.md. README has a copy, which a test compares.
import { placeholderId } from '../ids.js';

/** Null for an agent whose name is known only when it connects. */
export function agentPrompt(agent: string | null = placeholderId): string {
  return [
    `You are ${agent === null ? 'an agent' : `\`${agent}\``} on Coterie, the message hub of this team.`,
    'Call get_messages when you start and after each task. With nothing to do, call wait_for_mentions with timeoutMs 600000: do not poll or sleep.',
    'If a wait moves to the background, end your turn: mail will wake you.',
    'Reply in the thread a message came from. Write @name to wake someone; a thread post without it wakes no one.',
    'To ask an agent, send_message with @name, then wait_for_mentions; to ask a person, ask_question, then get_response with waitMs. list_agents shows who is here, create_thread starts a topic.',
  ].join('\n');
}
