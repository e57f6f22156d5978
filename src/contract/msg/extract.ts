// Reads parts of a message: its text, its blocks of one type, whether it calls a tool.
import { textOf, type ContentBlock } from '../content-block.js';

export interface HasContent {
  readonly content: readonly ContentBlock[];
}

export type BlockOf<Type extends ContentBlock['type']> = Extract<ContentBlock, { type: Type }>;

/** A block's name as a value: `TextBlock`, `ToolUseBlock` … */
export interface BlockKind<Type extends ContentBlock['type']> {
  readonly type: Type;
  [Symbol.hasInstance](value: unknown): value is BlockOf<Type>;
}

/** All text blocks, joined by newlines; empty if there are none. */
export function getTextContent({ content }: HasContent): string {
  return textOf(content);
}

export function blocksOfType<Type extends ContentBlock['type']>({ content }: HasContent, type: Type): BlockOf<Type>[] {
  return content.filter((block): block is BlockOf<Type> => block.type === type);
}

export function hasToolCall({ content }: HasContent): boolean {
  return content.some(({ type }) => type === 'tool_use');
}
