// What a provider is to the formatters: how it writes speech, tool calls and results, and which media it takes.
import type { Answered, JsonObject, MediaBlock, Said } from './said.js';

export interface Provider {
  /** Whether system text is a message among the others or stands beside them. */
  readonly system: 'message' | 'aside';
  /** Media that this provider takes from a user. All others become a short text. */
  takes(block: MediaBlock): boolean;
  /** Whether an assistant's turn may carry such media, too. */
  readonly takesFromAssistant?: boolean;
  /** What was said without asking a tool. Nothing, where the API refuses an empty message. */
  speech(said: Said): JsonObject[];
  /** What was said with calls in it, and the results, grouped as the API documents. */
  exchange(said: Said, answered: readonly Answered[]): JsonObject[];
  /** A last look at all of them, where neighbours must be one. */
  settle?(messages: JsonObject[]): JsonObject[];
  readonly history: HistoryForm;
}

export interface HistoryForm {
  /** Media stand where they were sent, or behind the text with `[Image]` in their place. */
  readonly media: 'inline' | 'behind';
  /** A system message behind the first: kept apart, or a line like the others. */
  readonly laterSystem: 'apart' | 'line';
  readonly opening: string;
  readonly closing: string;
  /** Between a line and a medium. */
  readonly beforeMedium: string;
  /** The prompt again before every later history. */
  readonly repeatsPrompt?: boolean;
  readonly nameless: (role: Said['role']) => string;
  readonly isInParts?: boolean;
}

export const plainHistory: HistoryForm = {
  media: 'inline',
  laterSystem: 'apart',
  opening: '<history>\n',
  closing: '</history>',
  beforeMedium: '\n',
  nameless: (role) => role.toUpperCase(),
};
