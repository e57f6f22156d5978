// The formatters' data model: turns, each a message with its tool calls and their results.
import type { MediaBlock } from '../contract/content-block.js';
import type { TextBlock, ThinkingBlock, ToolResultBlock, ToolUseBlock } from '../contract/msg/blocks.js';

export type { MediaBlock, TextBlock, ThinkingBlock, ToolResultBlock, ToolUseBlock };

/** Every block but a tool result, which belongs to its call and not to a speaker. */
export type TurnBlock = TextBlock | MediaBlock | ThinkingBlock | ToolUseBlock;

export type JsonObject = Record<string, unknown>;

export interface TurnMessage {
  readonly role: 'system' | 'user' | 'assistant';
  /** The speaker's display name, if any. */
  readonly name?: string;
  /** The speaker's agent id. */
  readonly sender?: string;
  readonly blocks: readonly TurnBlock[];
  /** Asks the provider to cache it: `metadata._cache_control`. */
  readonly isCached?: boolean;
  /** Formatted as a list of parts even if it is a single text. */
  readonly asParts?: boolean;
}

/** A call and its result; without a result only in the last turn. */
export interface ToolExchange {
  readonly id: string;
  readonly call: ToolUseBlock;
  readonly result?: ToolResultBlock;
}

export interface Turn {
  readonly message: TurnMessage;
  /** The calls in `message.blocks`, in order, all with or all without results. */
  readonly exchanges: readonly ToolExchange[];
  /** Indexes of the input messages it was built from. */
  readonly origins: readonly number[];
}
