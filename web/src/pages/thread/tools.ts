// Tool calls and their results, which may be in different messages of a thread.
import type { ContentBlock } from '../../../../src/contract/content-block.js';
import type { Message } from '../../data/types.js';

export type ToolUse = Extract<ContentBlock, { type: 'tool_use' }>;
export type ToolResult = Extract<ContentBlock, { type: 'tool_result' }>;

/** By sender and id: another agent's result is not the result of a call, whatever id it names. */
export interface ToolIndex {
  uses: ReadonlyMap<string, ToolUse>;
  results: ReadonlyMap<string, ToolResult>;
}

export function toolsIn(messages: readonly Message[]): ToolIndex {
  const uses = new Map<string, ToolUse>();
  const results = new Map<string, ToolResult>();
  for (const { sender, content } of messages) {
    for (const block of content) {
      if (block.type === 'tool_use') uses.set(keyOf(sender, block.id), block);
      else if (block.type === 'tool_result') results.set(keyOf(sender, block.toolUseId), block);
    }
  }
  return { uses, results };
}

/** No id of an agent has a space. */
function keyOf(sender: string, toolUseId: string): string {
  return `${sender} ${toolUseId}`;
}

export function resultFor({ results }: ToolIndex, sender: string, { id }: ToolUse): ToolResult | undefined {
  return results.get(keyOf(sender, id));
}

export function useFor({ uses }: ToolIndex, sender: string, { toolUseId }: ToolResult): ToolUse | undefined {
  return uses.get(keyOf(sender, toolUseId));
}

/** Changes when something that this message refers to is found: then it is drawn again. */
export function toolLinks({ sender, content }: Message, tools: ToolIndex): string {
  const found = content.flatMap((block) => {
    if (block.type === 'tool_use') return resultFor(tools, sender, block) === undefined ? [] : [block.id];
    if (block.type !== 'tool_result') return [];
    return useFor(tools, sender, block) === undefined ? [] : [block.toolUseId];
  });
  return found.join(' ');
}

/** Results that are folded with their call in the same message. */
export function isFolded(result: ToolResult, content: readonly ContentBlock[]): boolean {
  return content.some((block) => block.type === 'tool_use' && block.id === result.toolUseId);
}
