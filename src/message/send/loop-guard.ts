// Stops agents that answer each other without end. Only two shapes count: a long chain of quick replies, and two agents
// taking turns. Whoever only sends, however fast, is never stopped. Pure: the store asks here before it stores.
import { HubError } from '../../contract/errors.js';
import type { Limits } from '../../contract/limits.js';
import type { Turn } from '../../ports/shared-turns.js';

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
  /** In the order of their seqs, each by another sender than the one before. The first is no turn yet. */
  readonly #spoken: Pick<Turn, 'sender' | 'at' | 'seq'>[] = [];

  /** Throws when this would be one turn too many. */
  check(sender: string, other: string, now: number, limits: Limits): void {
    const spoken = this.#spoken;
    if (spoken.length <= limits.turnsMax || spoken.at(-1)?.sender === sender) return;
    const freeAt = (spoken.at(-limits.turnsMax)?.at ?? 0) + limits.turnsWindowMs;
    if (freeAt <= now) return;
    throw loopGuard(
      `'${sender}' and '${other}' have answered each other ${limits.turnsMax} times within ${limits.turnsWindowMs / 1000} s.`,
      { retryAfterMs: freeAt - now, with: other },
    );
  }

  /** Of one that was said at another hub it may be heard late. */
  note({ sender, at, seq }: Pick<Turn, 'sender' | 'at' | 'seq'>, limits: Limits): void {
    const spoken = this.#spoken;
    const place = spoken.findLastIndex((earlier) => earlier.seq < seq) + 1;
    if (spoken[place - 1]?.sender === sender) return;
    // What was thought to be an answer goes on where this one began.
    const isFollowed = spoken[place]?.sender === sender;
    spoken.splice(place, isFollowed ? 1 : 0, { sender, at, seq });
    if (spoken.length > limits.turnsMax + 1) spoken.shift();
  }
}

function loopGuard(message: string, details: Record<string, unknown> & { retryAfterMs: number }): HubError {
  const seconds = Math.max(1, Math.ceil(details.retryAfterMs / 1000));
  return new HubError('LOOP_GUARD', `${message} The hub took it for a loop.`, {
    hint: `Try again in ${seconds} s, and only if there is something new to say.`,
    details,
  });
}
