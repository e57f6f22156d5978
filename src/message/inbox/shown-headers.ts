// Which thread headers a conversation has been shown: each is sent once, and again when the thread has changed. Kept in
// memory only: a lost entry costs a few tokens, a stale one would leave a reader without the header.
import { createHash } from 'node:crypto';
import type { ModelReader } from '../../contract/budget/model-reader.js';
import type { ThreadHeader } from '../../contract/thread.js';
import type { Clock } from '../../ports/clock.js';
import type { ReplyOutcome } from '../../ports/reply-outcome.js';
import type { HandedCopy } from '../../ports/store.js';

/** After this time a model may have lost it from its context. */
const rememberMs = 10 * 60_000;
const entriesMax = 20_000;

export interface HeaderReader {
  sessionId: string;
  agentId: string;
  model: ModelReader | undefined;
}

export class ShownHeaders {
  readonly #clock: Clock;
  /** In the order of showing, so that pruning checks only the oldest. */
  readonly #shown = new Map<string, { digest: string; at: number }>();

  /** Counts calls of `forget`: an answer built before the last one must not be remembered after it. */
  #forgetCount = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Headers the reader has not been shown yet: all of them if its conversations cannot be distinguished, and those of
   * redelivered messages, as the answer that had the header may be the one that was lost, also at another hub.
   */
  newTo(reader: HeaderReader, headers: ThreadHeader[], copies: readonly HandedCopy[]): ThreadHeader[] {
    if (!isTracked(reader) || headers.length === 0) return headers;
    const oldest = this.#clock.monotonic() - rememberMs;
    const again = new Set(copies.filter(({ redelivered }) => redelivered).map(({ message }) => message.threadId));
    return headers.filter((header) => {
      if (again.has(header.threadId)) return true;
      const shown = this.#shown.get(keyOf(reader, header));
      return shown === undefined || shown.at < oldest || shown.digest !== digestOf(header);
    });
  }

  /** Headers count as shown once their answer has arrived, and no longer if the call was cancelled. */
  follow(reader: HeaderReader, headers: ThreadHeader[], outcome: ReplyOutcome): ReplyOutcome {
    if (!isTracked(reader) || headers.length === 0) return outcome;
    const before = this.#forgetCount;
    return {
      ...outcome,
      arrived: () => {
        if (before === this.#forgetCount) this.#remember(reader, headers);
        outcome.arrived();
      },
      cancelled: () => {
        this.forget(reader.sessionId, reader.agentId);
        outcome.cancelled();
      },
    };
  }

  /** An agent that registers, or returns messages unread, may be a new program under an old id. */
  forget(sessionId: string, agentId: string): void {
    this.#forgetCount += 1;
    const start = agentKey(sessionId, agentId);
    for (const key of this.#shown.keys()) if (key.startsWith(start)) this.#shown.delete(key);
  }

  #remember(reader: HeaderReader, headers: ThreadHeader[]): void {
    const at = this.#clock.monotonic();
    for (const header of headers) {
      const key = keyOf(reader, header);
      this.#shown.delete(key);
      this.#shown.set(key, { digest: digestOf(header), at });
    }
    for (const [old, shown] of this.#shown) {
      if (shown.at >= at - rememberMs && this.#shown.size <= entriesMax) return;
      this.#shown.delete(old);
    }
  }
}

function isTracked({ model }: HeaderReader): boolean {
  return model !== undefined && model.conversation !== null;
}

function agentKey(sessionId: string, agentId: string): string {
  return `${sessionId}\n${agentId}\n`;
}

function keyOf({ sessionId, agentId, model }: HeaderReader, { threadId }: ThreadHeader): string {
  return `${agentKey(sessionId, agentId)}${model?.conversation ?? ''}\n${threadId}`;
}

function digestOf(header: ThreadHeader): string {
  return createHash('sha256').update(JSON.stringify(header)).digest('base64url').slice(0, 16);
}
