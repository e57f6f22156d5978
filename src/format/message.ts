// A formatter's input: messages of the hub and of other frameworks, and plain strings.
import type { ContentBlock } from '../contract/content-block.js';
import { splitThinking } from '../contract/content/split-thinking.js';
import { roles, type Role } from '../contract/message.js';
import { defaultRole } from '../contract/msg/default-role.js';
import type { RoleName } from '../contract/msg/msg.js';
import { badMessage } from '../contract/msg/read-messages.js';

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
  const content = readContent(given.content, index);
  const role = given.role === undefined ? defaultRole(content) : readRole(given.role, index);
  const { name, sender, metadata } = given;
  return { name, sender, metadata, role, content: role === 'ASSISTANT' ? splitThinking(content) : content };
}

function readContent(given: FormatMessage['content'] | undefined, index: number): readonly ContentBlock[] {
  if (typeof given === 'string') return [{ type: 'text', text: given }];
  if (given === undefined)
    throw badMessage(`messages[${index}].content`, 'must be a string or a list of content blocks');
  return given;
}

function readRole(given: string, index: number): Role {
  const role = roles.find((known) => known === given.toUpperCase());
  if (role === undefined) throw badMessage(`messages[${index}].role`, `must be one of ${roles.join(', ')}`);
  return role;
}
