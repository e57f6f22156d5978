// Decides from what the client does on stdio whether an answer arrived. Writing only puts it into the pipe.
//
//   in the pipe ─┬─ a further line, no other call open ── arrived
//                ├─ two seconds pass, the pipe open ───── arrived
//                ├─ end of input: wait, then probe ────┬─ arrived
//                └─ broken pipe, cancellation ─────────┴─ lost
import type { JSONRPCMessage } from '@modelcontextprotocol/server';

/** With the pipe open this long after the answer, the client has it. */
const openMs = 2_000;
/** A cancellation may come late; so many answers are remembered for it. */
const rememberedMax = 1_000;

/** What is done with the messages of an answer. */
export interface OutcomeHandlers {
  arrived(): void;
  lost(): void;
  /** The caller gave the call up, perhaps after we thought its answer had arrived. */
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

  /** Called with every message of the client, before anything is done about it. */
  lineCame(message: JSONRPCMessage): void {
    if (!('method' in message)) return this.#clientMovedOn();
    if (message.method === 'notifications/cancelled') {
      const requestId = message.params?.['requestId'];
      if (typeof requestId === 'string' || typeof requestId === 'number') this.#cancel(requestId);
      // It may have crossed other answers on its way, so it proves nothing about them.
      return;
    }
    this.#clientMovedOn();
    if ('id' in message && message.method === 'tools/call') this.#open.add(message.id);
  }

  /** Called before the answer to this call is written; its outcome runs one of the handlers. */
  carries(requestId: RequestId, handlers: OutcomeHandlers): void {
    this.#doubts.set(requestId, { handlers, isInPipe: false, timer: undefined });
  }

  /** Called with every message to the client as it is written; returns what to do when the write is over. */
  lineLeaves(message: JSONRPCMessage): (error?: Error | null) => void {
    if ('method' in message || message.id === undefined) return () => {};
    const requestId = message.id;
    this.#close(requestId);
    const doubt = this.#doubts.get(requestId);
    if (doubt === undefined) return () => {};
    // Some fault took the place of the result: its messages are not in what leaves.
    if ('error' in message) this.#decide(requestId, 'lost');
    return (error) => {
      // Decided meanwhile, and the id perhaps in use again.
      if (this.#doubts.get(requestId) !== doubt) return;
      if (error !== undefined && error !== null) return this.#decide(requestId, 'lost');
      doubt.isInPipe = true;
      doubt.timer = setTimeout(() => this.#decide(requestId, 'arrived'), openMs).unref();
    };
  }

  /** Decides every answer whose outcome is still unknown. */
  settle(verdict: 'arrived' | 'lost'): void {
    for (const [requestId, { isInPipe }] of [...this.#doubts]) this.#decide(requestId, isInPipe ? verdict : 'lost');
  }

  /** Resolves when no call waits for its answer. */
  whenIdle(): Promise<void> {
    return this.#open.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#onIdle.push(resolve));
  }

  /** A client with several calls open may have written this line before it read the answer. */
  #clientMovedOn(): void {
    if (this.#open.size > 0) return;
    for (const [requestId, { isInPipe }] of [...this.#doubts]) {
      if (isInPipe) this.#decide(requestId, 'arrived');
    }
  }

  #cancel(requestId: RequestId): void {
    this.#close(requestId);
    const handlers = this.#doubts.get(requestId)?.handlers ?? this.#settled.get(requestId);
    this.#forget(requestId);
    this.#settled.delete(requestId);
    handlers?.cancelled();
  }

  #decide(requestId: RequestId, verdict: 'arrived' | 'lost'): void {
    const handlers = this.#doubts.get(requestId)?.handlers;
    if (handlers === undefined) return;
    this.#forget(requestId);
    if (verdict === 'arrived') this.#remember(requestId, handlers);
    handlers[verdict]();
  }

  #forget(requestId: RequestId): void {
    clearTimeout(this.#doubts.get(requestId)?.timer);
    this.#doubts.delete(requestId);
  }

  #remember(requestId: RequestId, handlers: OutcomeHandlers): void {
    this.#settled.set(requestId, handlers);
    const [oldest] = this.#settled.keys();
    if (this.#settled.size > rememberedMax && oldest !== undefined) this.#settled.delete(oldest);
  }

  #close(requestId: RequestId): void {
    this.#open.delete(requestId);
    if (this.#open.size === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}
