// Tool calls and their results, which may be in different messages of a thread.
import type { ContentBlock } from '../../../../src/contract/content-block.js';
import type { Message } from '../../data/types.js';

export type ToolUse = Extract<ContentBlock, { type: 'tool_use' }>;
export type ToolResult = Extract<ContentBlock, { type: 'tool_result' }>;

export interface ToolIndex {
  uses: ReadonlyMap<string, ToolUse>;
  results: ReadonlyMap<string, ToolResult>;
}

export function toolsIn(messages: readonly Message[]): ToolIndex {
  const uses = new Map<string, ToolUse>();
  const results = new Map<string, ToolResult>();
  for (const { content } of messages) {
    for (const block of content) {
      if (block.type === 'tool_use') uses.set(block.id, block);
      else if (block.type === 'tool_result') results.set(block.toolUseId, block);
    }
  }
  return { uses, results };
}

/** Changes when something that this message refers to is found: then it is drawn again. */
export function toolLinks({ content }: Message, { uses, results }: ToolIndex): string {
  const found = content.flatMap((block) => {
    if (block.type === 'tool_use') return results.has(block.id) ? [block.id] : [];
    return block.type === 'tool_result' && uses.has(block.toolUseId) ? [block.toolUseId] : [];
  });
  return found.join(' ');
}

/** Results that are folded with their call in the same message. */
export function isFolded(result: ToolResult, content: readonly ContentBlock[]): boolean {
  return content.some((block) => block.type === 'tool_use' && block.id === result.toolUseId);
}
