// Stops agents that answer each other without end. Only two shapes count: a long chain of quick replies, and two agents
// taking turns. Whoever only sends, however fast, is never stopped. Pure: the store asks here before it stores.
import { HubError } from '../contract/errors.js';
import type { Limits } from '../contract/limits.js';

/** What a chain needs to know of the message replied to. */
export interface RepliedTo {
  hops: number;
  at: number;
}

/**
 * How many replies led to this one. A pause ends the chain, so that a long but calm conversation is never stopped.
 * Throws when the chain is too long.
 */
export function hopsOf(replied: RepliedTo | null, now: number, limits: Limits): number {
  if (replied === null) return 0;
  const pausedMs = now - replied.at;
  if (pausedMs >= limits.replyChainPauseMs) return 1;
  const hops = replied.hops + 1;
  if (hops <= limits.replyChainHops) return hops;
  throw loopGuard(
    `This would be reply ${hops} of one chain; at most ${limits.replyChainHops} may follow each other without a pause.`,
    { retryAfterMs: limits.replyChainPauseMs - pausedMs, hops },
  );
}

/** When two agents took turns lately. One message to the other after the other's is a turn; two in a row are one-way. */
export class Turns {
  #lastSender: string | undefined;
  /** Times of the last turns, oldest first. */
  #times: number[] = [];

  /** Throws when this would be one turn too many. */
  check(sender: string, other: string, now: number, limits: Limits): void {
    if (!this.#isTurn(sender)) return;
    const [first = 0] = this.#times;
    const freeAt = first + limits.turnsWindowMs;
    if (this.#times.length < limits.turnsMax || freeAt <= now) return;
    throw loopGuard(
      `'${sender}' and '${other}' have answered each other ${limits.turnsMax} times within ${limits.turnsWindowMs / 1000} s.`,
      { retryAfterMs: freeAt - now, with: other },
    );
  }

  note(sender: string, now: number, limits: Limits): void {
    if (this.#isTurn(sender)) {
      this.#times.push(now);
      if (this.#times.length > limits.turnsMax) this.#times.shift();
    }
    this.#lastSender = sender;
  }

  #isTurn(sender: string): boolean {
    return this.#lastSender !== undefined && this.#lastSender !== sender;
  }
}

function loopGuard(message: string, details: Record<string, unknown> & { retryAfterMs: number }): HubError {
  const seconds = Math.max(1, Math.ceil(details.retryAfterMs / 1000));
  return new HubError('LOOP_GUARD', `${message} The hub took it for a loop.`, {
    hint: `Try again in ${seconds} s, and only if there is something new to say.`,
    details,
  });
}
