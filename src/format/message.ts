// A formatter's input: messages of the hub and of other frameworks, and plain strings.
import type { ContentBlock } from '../contract/content-block.js';
import { splitThinking } from '../contract/content/split-thinking.js';
import { roles, type Role } from '../contract/message.js';
import { defaultRole } from '../contract/msg/default-role.js';
import type { RoleName } from '../contract/msg/msg.js';
import { badMessage, readBlocks, readSpeaker } from '../contract/msg/read-messages.js';

export interface FormatMessage {
  readonly name?: string | undefined;
  /** The sender's agent id; `system` is the hub itself. */
  readonly sender?: string | undefined;
  /** Default ASSISTANT, as in the hub's answers; TOOL if all blocks are tool results. */
  readonly role?: RoleName | undefined;
  /** A plain string is one text block. */
  readonly content: string | readonly ContentBlock[];
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

export interface ReadMessage extends FormatMessage {
  readonly role: Role;
  readonly content: readonly ContentBlock[];
}

export function readGiven(given: FormatMessage | string, index: number): ReadMessage {
  if (typeof given === 'string') return { role: 'USER', content: [{ type: 'text', text: given }] };
  const path = `messages[${index}]`;
  const { name, sender, role: writtenRole } = readSpeaker(given, path);
  const content = readBlocks(given.content, `${path}.content`);
  const role = writtenRole === undefined ? defaultRole(content) : readRole(writtenRole, path);
  const { metadata } = given;
  return { name, sender, metadata, role, content: role === 'ASSISTANT' ? splitThinking(content) : content };
}

function readRole(given: string, path: string): Role {
  const role = roles.find((known) => known === given.toUpperCase());
  if (role === undefined) throw badMessage(`${path}.role`, `must be one of ${roles.join(', ')}`);
  return role;
}
