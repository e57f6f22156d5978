// A formatter's input: messages of the hub and of other frameworks.
import type { ContentBlock } from '../contract/content-block.js';
import type { Role } from '../contract/message.js';

export interface FormatMessage {
  readonly name?: string | undefined;
  /** The sender's agent id; `system` is the hub itself. */
  readonly sender?: string | undefined;
  /** Default ASSISTANT, as in the hub's answers; TOOL if all blocks are tool results. */
  readonly role?: Role | undefined;
  readonly content: readonly ContentBlock[];
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}
