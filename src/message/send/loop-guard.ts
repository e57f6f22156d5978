// Stops endless loops of agents that answer each other. Only two patterns count: a long chain of quick replies, and two
// agents taking turns. An agent that only sends, however fast, is never stopped. Pure: the store calls it before storing.
import { HubError } from '../../contract/errors.js';
import type { Limits } from '../../contract/limits.js';
import type { Turn } from '../../ports/shared-turns.js';

/** The replied-to message's position in its chain. */
export interface RepliedTo {
  hops: number;
  at: number;
}

/**
 * The length of the reply chain that ends with this message. A pause ends a chain, so that a long but slow conversation
 * is never stopped. Throws when the chain is too long.
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

/** Recent turns of two agents. A message that follows one of the other agent is a turn; a second in a row is not. */
export class Turns {
  /** By seq, with alternating senders. The first is not a turn yet. */
  readonly #messages: Pick<Turn, 'sender' | 'at' | 'seq'>[] = [];

  /** Throws when this turn would exceed the limit. */
  check(sender: string, other: string, now: number, limits: Limits): void {
    const messages = this.#messages;
    if (messages.length <= limits.turnsMax || messages.at(-1)?.sender === sender) return;
    const freeAt = (messages.at(-limits.turnsMax)?.at ?? 0) + limits.turnsWindowMs;
    if (freeAt <= now) return;
    throw loopGuard(
      `'${sender}' and '${other}' have answered each other ${limits.turnsMax} times within ${limits.turnsWindowMs / 1000} s.`,
      { retryAfterMs: freeAt - now, with: other },
    );
  }

  /** A turn at another hub may be noted late, after later ones. */
  note({ sender, at, seq }: Pick<Turn, 'sender' | 'at' | 'seq'>, limits: Limits): void {
    const messages = this.#messages;
    const index = messages.findLastIndex((earlier) => earlier.seq < seq) + 1;
    if (messages[index - 1]?.sender === sender) return;
    // The next message has the same sender: it was taken for a turn, but this one replaces it.
    const isFollowed = messages[index]?.sender === sender;
    messages.splice(index, isFollowed ? 1 : 0, { sender, at, seq });
    if (messages.length > limits.turnsMax + 1) messages.shift();
  }
}

function loopGuard(message: string, details: Record<string, unknown> & { retryAfterMs: number }): HubError {
  const seconds = Math.max(1, Math.ceil(details.retryAfterMs / 1000));
  return new HubError('LOOP_GUARD', `${message} It looks like a loop.`, {
    hint: `Try again in ${seconds} s, and only if there is something new to say.`,
    details,
  });
}
