// Decides from the client's behaviour on stdio whether an answer arrived. A write only puts it into the pipe.
//
//   in the pipe ─┬─ another line, no other call open ──── arrived
//                ├─ two seconds pass, pipe still open ─── arrived
//                ├─ end of input: wait, then probe ────┬─ arrived
//                └─ broken pipe, the call timed out ───┴─ lost
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { cancelReasonOf, takesBack } from '../mcp/decide-cancellation.js';

/** If the pipe stays open this long after the answer, the client has it. */
const openMs = 2_000;
/** Answers kept for late cancellations. */
const settledMax = 1_000;

/** Called once the outcome of an answer is known, to settle its messages. */
export interface OutcomeHandlers {
  arrived(): void;
  lost(): void;
  /** A cancellation shows that the client has not seen the answer, which may have been taken to have arrived. */
  cancelled(): void;
}

interface Doubt {
  handlers: OutcomeHandlers;
  isInPipe: boolean;
  timer: NodeJS.Timeout | undefined;
}

type RequestId = string | number;

export class ReplyEvidence {
  /** Tool calls that have no answer yet. */
  readonly #open = new Set<RequestId>();
  readonly #doubts = new Map<RequestId, Doubt>();
  readonly #settled = new Map<RequestId, OutcomeHandlers>();
  readonly #onIdle: (() => void)[] = [];

  get hasDoubts(): boolean {
    return this.#doubts.size > 0;
  }

  /** Called with every message from the client, before it is handled. */
  onReceive(message: JSONRPCMessage): void {
    if (!('method' in message)) return this.#confirmWritten();
    if (message.method === 'notifications/cancelled') {
      const { requestId, reason } = message.params ?? {};
      if (typeof requestId === 'string' || typeof requestId === 'number') this.#cancel(requestId, reason);
      // It may have crossed other answers in transit, so it confirms none of them.
      return;
    }
    this.#confirmWritten();
    if ('id' in message && message.method === 'tools/call') this.#open.add(message.id);
  }

  /** Called before the answer to this call is written. */
  track(requestId: RequestId, handlers: OutcomeHandlers): void {
    this.#doubts.set(requestId, { handlers, isInPipe: false, timer: undefined });
  }

  /** Called with every message to the client before it is written; returns the write callback. */
  onSend(message: JSONRPCMessage): (error?: Error | null) => void {
    if ('method' in message || message.id === undefined) return () => {};
    const requestId = message.id;
    this.#close(requestId);
    const doubt = this.#doubts.get(requestId);
    if (doubt === undefined) return () => {};
    // An error replaced the result, so the messages are not in it.
    if ('error' in message) this.#decide(requestId, 'lost');
    return (error) => {
      // Already decided; the id may be in use again.
      if (this.#doubts.get(requestId) !== doubt) return;
      if (error !== undefined && error !== null) return this.#decide(requestId, 'lost');
      doubt.isInPipe = true;
      doubt.timer = setTimeout(() => this.#decide(requestId, 'arrived'), openMs).unref();
    };
  }

  /** Decides all answers in doubt. */
  settle(verdict: 'arrived' | 'lost'): void {
    for (const [requestId, { isInPipe }] of Array.from(this.#doubts))
      this.#decide(requestId, isInPipe ? verdict : 'lost');
  }

  /** Resolves when every call is answered. */
  whenIdle(): Promise<void> {
    return this.#open.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#onIdle.push(resolve));
  }

  /** With other calls open, the client may have written this line before it read the answer. */
  #confirmWritten(): void {
    if (this.#open.size > 0) return;
    for (const [requestId, { isInPipe }] of Array.from(this.#doubts)) {
      if (isInPipe) this.#decide(requestId, 'arrived');
    }
  }

  #cancel(requestId: RequestId, reason: unknown): void {
    this.#close(requestId);
    const doubt = this.#doubts.get(requestId);
    if (!takesBack(cancelReasonOf(reason), { isWritten: doubt?.isInPipe ?? true })) return;
    const handlers = doubt?.handlers ?? this.#settled.get(requestId);
    this.#forget(requestId);
    this.#settled.delete(requestId);
    handlers?.cancelled();
  }

  #decide(requestId: RequestId, verdict: 'arrived' | 'lost'): void {
    const handlers = this.#doubts.get(requestId)?.handlers;
    if (handlers === undefined) return;
    this.#forget(requestId);
    if (verdict === 'arrived') this.#keepSettled(requestId, handlers);
    handlers[verdict]();
  }

  #forget(requestId: RequestId): void {
    clearTimeout(this.#doubts.get(requestId)?.timer);
    this.#doubts.delete(requestId);
  }

  #keepSettled(requestId: RequestId, handlers: OutcomeHandlers): void {
    this.#settled.set(requestId, handlers);
    const [oldest] = this.#settled.keys();
    if (this.#settled.size > settledMax && oldest !== undefined) this.#settled.delete(oldest);
  }

  #close(requestId: RequestId): void {
    this.#open.delete(requestId);
    if (this.#open.size === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}
