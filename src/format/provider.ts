// The interface of a provider format: messages, tool calls with results, and supported media.
import type { ToolExchange, JsonObject, MediaBlock, TurnMessage } from './turn.js';

export interface Provider {
  /** Whether system text is a message in the list or a separate field. */
  readonly system: 'message' | 'separate';
  /** Whether a user message may contain this media. Unsupported media becomes a short text. */
  supports(block: MediaBlock): boolean;
  /** Whether assistant messages may contain it too. */
  readonly supportsInAssistant?: boolean;
  /** A message without tool calls. Returns nothing if the API would refuse it as empty. */
  formatMessage(message: TurnMessage): JsonObject[];
  /** A message with tool calls, and their results, grouped as the API documents. */
  formatToolCalls(message: TurnMessage, exchanges: readonly ToolExchange[]): JsonObject[];
  /** Merges neighbouring messages where the API requires it. */
  mergeMessages?(messages: JsonObject[]): JsonObject[];
  readonly history: HistoryForm;
}

export interface HistoryForm {
  /** Media stays in position, or follows the text, which then contains `[Image]`. */
  readonly media: 'inline' | 'after';
  /** A system message after the first: a separate message, or a line of the history. */
  readonly laterSystem: 'separate' | 'line';
  readonly opening: string;
  readonly closing: string;
  /** Between a line and media. */
  readonly beforeMedia: string;
  /** Whether the prompt is repeated before later histories. */
  readonly repeatPrompt?: boolean;
  readonly fallbackName: (role: TurnMessage['role']) => string;
  readonly asParts?: boolean;
}

export const plainHistory: HistoryForm = {
  media: 'inline',
  laterSystem: 'separate',
  opening: '<history>\n',
  closing: '</history>',
  beforeMedia: '\n',
  fallbackName: (role) => role.toUpperCase(),
};
