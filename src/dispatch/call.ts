// One call as a door brings it, and what became of it.
import type { ModelReader } from '../contract/budget/model-reader.js';
import type { HubError } from '../contract/errors.js';
import type { Operation } from '../contract/operation.js';
import type { ShownMedia } from '../contract/shown-media.js';
import type { Connection } from '../ports/caller.js';
import type { ReplyOutcome } from '../ports/reply-outcome.js';

/** Whether the one who called is still there. A parked wait ends the moment it is not. */
export interface Client {
  readonly isGone: boolean;
  /** Calls back once, when the client goes away; the returned function forgets the callback. */
  onGone(callback: () => void): () => void;
}

export interface Call {
  operation: string;
  input: unknown;
  connection: Connection;
  client: Client;
  transport: 'mcp' | 'http';
  /** The longest wait this client survives; undefined where it may wait as long as it asks. */
  waitMsMax?: number;
  /** Says that the call is still going on, for clients that asked to hear it. */
  progress?: (text: string) => void;
  /** Set when a model reads the answer; see docs/decisions/0008. */
  model?: ModelReader;
}

export interface Answer {
  operation: Operation;
  output: Record<string, unknown>;
  /** For those who read text: empty where a program asked over HTTP. */
  text: string;
  /** Shown to a model beside the text. */
  media: ShownMedia;
  /** How much of it all is data of attachments: a door writes megabytes another way. */
  dataBytes: number;
  /** Set when the answer hands out messages: how it ended decides whether they become read. */
  replyOutcome: ReplyOutcome | null;
}

export type Outcome = { answer: Answer } | { error: HubError };
