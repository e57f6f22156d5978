// The role of a message that states none, as the hub assigns it to agents.
import type { ContentBlock } from '../content-block.js';
import type { Role } from '../message.js';

export function defaultRole(content: readonly ContentBlock[]): Role {
  return content.length > 0 && content.every(({ type }) => type === 'tool_result') ? 'TOOL' : 'ASSISTANT';
}
