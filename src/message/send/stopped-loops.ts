// Which loops the guard has stopped lately, for the overview: the latest of each session. Every hub tells the others, and a hub
// that starts is told what they know; when all stop, they are forgotten.
import { HubError } from '../../contract/errors.js';
import type { Clock } from '../../ports/clock.js';
import type { StoppedLoop } from '../../ports/overview.js';
import type { SendPlan } from '../../ports/store.js';
import { forgetOldest } from '../forget-oldest.js';

const keptMs = 24 * 60 * 60_000;
const loopsKept = 50;
const sessionsKept = 200;
/** A loop that is stopped a thousand times a second is told of now and then. */
const publishEveryMs = 5_000;

interface StoppedLoopsPorts {
  clock: Pick<Clock, 'now'>;
  /** To the other hubs. */
  publish: (loop: StoppedLoop) => void;
}

interface Kept {
  loop: StoppedLoop;
  publishedAt: number;
}

export class StoppedLoops {
  readonly #ports: StoppedLoopsPorts;
  /** By session, then by who is in the loop; the one that was stopped longest ago first. */
  readonly #sessions = new Map<string, Map<string, Kept>>();

  constructor(ports: StoppedLoopsPorts) {
    this.#ports = ports;
  }

  /** Notes it if the guard has refused this send. */
  noteRefusal({ sessionId, sender, threadId }: SendPlan, error: unknown): void {
    if (!(error instanceof HubError) || error.code !== 'LOOP_GUARD') return;
    const other = typeof error.details['with'] === 'string' ? error.details['with'] : null;
    const at = this.#ports.clock.now();
    const before = this.#sessions.get(sessionId)?.get(keyOf({ sender, other, threadId }));
    const loop = { sessionId, sender, other, threadId, at, count: (before?.loop.count ?? 0) + 1 };
    const isTold = before !== undefined && at - before.publishedAt < publishEveryMs;
    this.#keep({ loop, publishedAt: isTold ? before.publishedAt : at });
    if (!isTold) this.#ports.publish(loop);
  }

  heard(loop: StoppedLoop): void {
    const now = this.#ports.clock.now();
    if (loop.at < now - keptMs || loop.at > now + keptMs || !Number.isSafeInteger(loop.count)) return;
    const before = this.#sessions.get(loop.sessionId)?.get(keyOf(loop));
    if (before !== undefined && before.loop.at >= loop.at) return;
    this.#keep({ loop: { ...loop, count: Math.max(loop.count, before?.loop.count ?? 0) }, publishedAt: now });
  }

  /** For a hub that has just started. */
  tellAll(): void {
    for (const loops of this.#sessions.values()) for (const { loop } of loops.values()) this.#ports.publish(loop);
  }

  /** Newest first. */
  since(sessionId: string, since: number): StoppedLoop[] {
    const loops = [...(this.#sessions.get(sessionId)?.values() ?? [])].map(({ loop }) => loop);
    return loops.filter(({ at }) => at >= since).toSorted((a, b) => b.at - a.at);
  }

  #keep(kept: Kept): void {
    const { sessionId } = kept.loop;
    const loops = this.#sessions.get(sessionId) ?? new Map<string, Kept>();
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, loops);
    forgetOldest(this.#sessions, sessionsKept);
    const key = keyOf(kept.loop);
    loops.delete(key);
    loops.set(key, kept);
    forgetOldest(loops, loopsKept);
  }
}

/** The same for both of a pair, whoever was stopped. */
function keyOf({ sender, other, threadId }: Pick<StoppedLoop, 'sender' | 'other' | 'threadId'>): string {
  const pair = other === null ? [sender, threadId ?? ''] : [sender, other].toSorted();
  return `${other === null ? 'chain' : 'pair'} ${pair.join(' ')}`;
}
