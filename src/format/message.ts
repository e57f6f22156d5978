// What a formatter reads: any message of the hub, and the shorter ones that other frameworks write.
import type { ContentBlock } from '../contract/content-block.js';
import type { Role } from '../contract/message.js';

export interface FormatMessage {
  readonly name?: string | undefined;
  /** The hub's id of who sent it; `system` is the hub itself. */
  readonly sender?: string | undefined;
  /** ASSISTANT when absent, as in the hub's answers; TOOL when all blocks are tool results. */
  readonly role?: Role | undefined;
  readonly content: readonly ContentBlock[];
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}
