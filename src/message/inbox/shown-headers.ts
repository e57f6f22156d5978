// Which thread headers a conversation has been shown: each is written once, and again when the thread has changed.
// Kept in memory only; forgetting costs a few tokens, remembering too long would leave a reader without.
import { createHash } from 'node:crypto';
import type { ModelReader } from '../../contract/budget/model-reader.js';
import type { ThreadHeader } from '../../contract/thread.js';
import type { Clock } from '../../ports/clock.js';
import type { ReplyOutcome } from '../../ports/reply-outcome.js';
import type { HandedCopy } from '../../ports/store.js';

/** After so long a model may have dropped it from its own memory. */
const rememberMs = 10 * 60_000;
const entriesMax = 20_000;

export interface HeaderReader {
  sessionId: string;
  agentId: string;
  model: ModelReader | undefined;
}

export class ShownHeaders {
  readonly #clock: Clock;
  /** In order of showing: only the oldest need a look when pruning. */
  readonly #shown = new Map<string, { digest: string; at: number }>();

  /** Rises with every forgetting: an answer given before one proves nothing after it, whoever it was for. */
  #forgettings = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Those it must still be shown. Everything, to a reader whose conversations cannot be told apart; and those of messages
   * that come again: the answer that had them may be the one that was lost, at another hub too.
   */
  newTo(reader: HeaderReader, headers: ThreadHeader[], copies: readonly HandedCopy[]): ThreadHeader[] {
    if (!isTold(reader) || headers.length === 0) return headers;
    const oldest = this.#clock.monotonic() - rememberMs;
    const again = new Set(copies.filter(({ redelivered }) => redelivered).map(({ message }) => message.threadId));
    return headers.filter((header) => {
      if (again.has(header.threadId)) return true;
      const shown = this.#shown.get(keyOf(reader, header));
      return shown === undefined || shown.at < oldest || shown.digest !== digestOf(header);
    });
  }

  /** They count as shown when the answer that carries them has arrived, and no longer if its call was cancelled. */
  follow(reader: HeaderReader, headers: ThreadHeader[], outcome: ReplyOutcome): ReplyOutcome {
    if (!isTold(reader) || headers.length === 0) return outcome;
    const before = this.#forgettings;
    return {
      ...outcome,
      arrived: () => {
        if (before === this.#forgettings) this.#remember(reader, headers);
        outcome.arrived();
      },
      cancelled: () => {
        this.forget(reader.sessionId, reader.agentId);
        outcome.cancelled();
      },
    };
  }

  /** An agent that registers, or gives messages back unread, may be a new one under an old name. */
  forget(sessionId: string, agentId: string): void {
    this.#forgettings += 1;
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

function isTold({ model }: HeaderReader): boolean {
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
