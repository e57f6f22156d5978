// What formatters work on: a message cut into what was said and what tools were asked and answered.
import type { ContentBlock } from '../contract/content-block.js';

export type TextBlock = Extract<ContentBlock, { type: 'text' }>;
export type MediaBlock = Extract<ContentBlock, { type: 'image' | 'audio' | 'video' }>;
export type ThinkingBlock = Extract<ContentBlock, { type: 'thinking' }>;
export type ToolUseBlock = Extract<ContentBlock, { type: 'tool_use' }>;
export type ToolResultBlock = Extract<ContentBlock, { type: 'tool_result' }>;

/** Everything but a result, which belongs to the call it answers and not to a speaker. */
export type SaidBlock = TextBlock | MediaBlock | ThinkingBlock | ToolUseBlock;

export type JsonObject = Record<string, unknown>;

export interface Said {
  readonly role: 'system' | 'user' | 'assistant';
  /** The name the speaker goes by; absent when the message has none. */
  readonly name?: string;
  /** The hub's id of the speaker. */
  readonly sender?: string;
  readonly blocks: readonly SaidBlock[];
  /** The sender asked the provider to keep it: `metadata._cache_control`. */
  readonly isCached?: boolean;
  /** Written as a list of parts even when one text would do. */
  readonly isInParts?: boolean;
}

/** A call and its result; no result only when nothing came after the call. */
export interface Answered {
  readonly id: string;
  readonly call: ToolUseBlock;
  readonly result?: ToolResultBlock;
}

export interface Turn {
  readonly said: Said;
  /** The calls in `said.blocks`, in order, each with its result, or all without. Empty for plain speech. */
  readonly answered: readonly Answered[];
  /** Which of the messages given are in it. */
  readonly origins: readonly number[];
}
