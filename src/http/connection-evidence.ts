// Decides from a connection's events whether a response arrived. Rules and measurements: docs/decisions/0003.
//
//   written in full ─┬─ another request on the connection ──────────── arrived
//                    ├─ two seconds pass, the connection still open ── arrived
//                    ├─ the client closes (FIN): hold, then probe ──┬─ arrived
//                    └─ reset, broken pipe, the call timed out ─────┴─ lost
//   truncated ──────────────────────────────────────────────────────── lost
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ReplyOutcome } from '../ports/reply-outcome.js';

/** If the connection stays open this long after the response, the client has it. */
const openMs = 2_000;
/** After the client's FIN: time for a reset to arrive if the client closed with the response unread. */
const holdMs = 1_000;
/** A response the client has not drained for this long counts as lost. */
const stuckMs = 30_000;

interface Doubt {
  outcome: ReplyOutcome;
  response: ServerResponse;
  /** The last byte has left this process. Over TLS we may learn it after the client has read the response and acted. */
  isWritten: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** One per socket. Listeners are added once per connection, not per request, so thousands of waits stay cheap. */
export class ConnectionEvidence {
  readonly #socket: Socket;
  readonly #doubts = new Set<Doubt>();
  #isHolding = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.prependListener('end', () => this.#onFin());
    socket.prependListener('error', () => this.#settle('lost'));
    socket.once('close', () => this.#settle('lost'));
    this.#keepOpenWhileInDoubt();
  }

  static readonly #known = new WeakMap<Socket, ConnectionEvidence>();

  static of(socket: Socket): ConnectionEvidence {
    let evidence = ConnectionEvidence.#known.get(socket);
    if (evidence === undefined) {
      evidence = new ConnectionEvidence(socket);
      ConnectionEvidence.#known.set(socket, evidence);
    }
    return evidence;
  }

  /** Responses, on all connections, whose outcome is not known yet. */
  static inDoubt = 0;

  /** Reports the outcome of `response`. Called before it is written. */
  watch(response: ServerResponse, outcome: ReplyOutcome): void {
    const doubt: Doubt = { outcome, response, isWritten: false, timer: undefined };
    this.#doubts.add(doubt);
    ConnectionEvidence.inDoubt += 1;
    doubt.timer = setTimeout(() => this.#socket.destroy(), stuckMs).unref();
    response.once('finish', () => {
      doubt.isWritten = true;
      clearTimeout(doubt.timer);
      doubt.timer = setTimeout(() => this.#decide(doubt, 'arrived'), openMs).unref();
    });
    response.once('close', () => {
      if (!response.writableFinished) this.#decide(doubt, 'lost');
    });
  }

  /** The client has sent a request after these responses were written, so its HTTP layer has parsed them. */
  confirmWritten(): void {
    if (this.#doubts.size === 0) return;
    this.#confirm(Array.from(this.#doubts));
    const ended = [...this.#doubts].filter(({ response }) => response.writableEnded);
    // A response that is still being written by then was not what the client answered.
    if (ended.length > 0) setImmediate(() => setImmediate(() => this.#confirm(ended)));
  }

  #confirm(doubts: readonly Doubt[]): void {
    for (const doubt of doubts) if (doubt.isWritten) this.#decide(doubt, 'arrived');
  }

  #decide(doubt: Doubt, verdict: 'arrived' | 'lost'): void {
    if (!this.#doubts.delete(doubt)) return;
    ConnectionEvidence.inDoubt -= 1;
    clearTimeout(doubt.timer);
    doubt.outcome[verdict]();
  }

  #settle(verdict: 'arrived' | 'lost'): void {
    for (const doubt of Array.from(this.#doubts)) this.#decide(doubt, verdict);
  }

  get #hasWholeDoubt(): boolean {
    return [...this.#doubts].some(({ isWritten, response }) => isWritten || response.writableEnded);
  }

  /**
   * A FIN means either "read it, closing" or "closed before it arrived". In the second case the client's kernel answers
   * our bytes with a reset, so our side stays open for a moment and then writes: an error means it was not read.
   */
  #onFin(): void {
    if (this.#isHolding || !this.#hasWholeDoubt) return;
    this.#isHolding = true;
    const socket = this.#socket;
    const end = socket.end.bind(socket);
    // node:http ends the socket in its own 'end' listener, which runs after ours.
    socket.end = () => socket;
    setTimeout(() => {
      if (socket.destroyed) return;
      socket.write('\r\n', (error) => {
        if (error === null || error === undefined) this.#confirm(Array.from(this.#doubts));
        this.#settle('lost');
        end();
      });
    }, holdMs).unref();
  }

  /** After `Connection: close` node destroys the socket once the response is written; then no evidence can arrive. */
  #keepOpenWhileInDoubt(): void {
    const socket = this.#socket;
    const destroySoon = socket.destroySoon.bind(socket);
    socket.destroySoon = () => {
      if (this.#doubts.size === 0) destroySoon();
      else setTimeout(destroySoon, openMs + 100).unref();
    };
  }
}
