// One call as a transport passes it in, and its outcome.
import type { ModelReader } from '../contract/budget/model-reader.js';
import type { HubError } from '../contract/errors.js';
import type { Operation } from '../contract/operation.js';
import type { Envelope } from '../contract/signal/signal.js';
import type { ShownMedia } from '../contract/shown-media.js';
import type { ShownTools } from '../contract/shown-tools.js';
import type { AnswerHold } from '../ports/answer-room.js';
import type { Connection } from '../ports/caller.js';
import type { ReplyOutcome } from '../ports/reply-outcome.js';

/** Whether the client is still connected. A parked wait ends as soon as it is not. */
export interface Client {
  readonly isGone: boolean;
  /** Calls back once, when the client disconnects; the returned function removes the callback. */
  onGone(callback: () => void): () => void;
  /** The memory of the answer. Absent where none is counted. */
  readonly answer?: AnswerHold;
}

export interface Call {
  operation: string;
  input: unknown;
  connection: Connection;
  client: Client;
  transport: 'mcp' | 'http';
  /** The longest wait before this client times out; undefined if it may wait as long as it asks. */
  waitMsMax?: number;
  /** Reports progress, for clients that asked for it. */
  progress?: (text: string) => void;
  /** The tools that an MCP client lists: texts and hints explain the others. */
  tools?: ShownTools;
  /** Set when a model reads the answer; see docs/decisions/0008. */
  model?: ModelReader;
}

export interface Answer {
  operation: Operation;
  output: Record<string, unknown>;
  /** For readers of text; empty for programs that call over HTTP. */
  text: string;
  /** Shown to a model beside the text. */
  media: ShownMedia;
  /** Answers that only the caller's program can open, by question. */
  sealed?: Record<string, Envelope>;
  /** Size of attachment data in the answer: transports write megabytes in another way. */
  dataBytes: number;
  /** Set when the answer hands out messages: how it ended decides whether they become read. */
  replyOutcome: ReplyOutcome | null;
}

export type Outcome = { answer: Answer } | { error: HubError };
