// How long waits took to answer once they were woken, by session and minute, for the overview. Hubs tell each other what they
// have counted since the last time; what a lost notification held is missing, and a restart forgets.
import type { Clock } from '../../ports/clock.js';
import type { DelayNews, DelaysRead } from '../../ports/overview.js';
import { forgetOldest } from '../forget-oldest.js';

const minuteMs = 60_000;
const minutesKept = 61;
const sessionsKept = 200;
/** Of √2 each, from 1 ms to about 17 minutes: a percentile is at most 41 % too high. */
const places = 41;

type Counts = number[];
type Minutes = Map<number, Counts>;

interface WakeDelaysPorts {
  clock: Pick<Clock, 'now'>;
  /** To the other hubs. */
  publish: (news: DelayNews) => void;
}

export class WakeDelays {
  readonly #ports: WakeDelaysPorts;
  readonly #sessions = new Map<string, Minutes>();
  #owed = new Map<string, Minutes>();

  constructor(ports: WakeDelaysPorts) {
    this.#ports = ports;
  }

  note(sessionId: string, ms: number): void {
    const minute = Math.floor(this.#ports.clock.now() / minuteMs);
    const place = Math.min(places - 1, Math.ceil(2 * Math.log2(Math.max(1, ms))));
    this.#add(this.#sessions, { sessionId, minute }, place, 1);
    this.#add(this.#owed, { sessionId, minute }, place, 1);
  }

  /** Of another hub: what cannot be true is left out. */
  heard({ sessionId, minute, counts }: DelayNews): void {
    const age = this.#ports.clock.now() / minuteMs - minute;
    if (!Number.isSafeInteger(minute) || age > minutesKept || age < -minutesKept) return;
    for (const pair of counts.split(' ').slice(0, places)) {
      const [place = NaN, count = NaN] = pair.split(':').map(Number);
      if (Number.isSafeInteger(place) && place >= 0 && place < places && Number.isSafeInteger(count) && count > 0)
        this.#add(this.#sessions, { sessionId, minute }, place, count);
    }
  }

  read(sessionId: string, { since, until, buckets }: { since: number; until: number; buckets: number }): DelaysRead {
    const parts = Array.from({ length: buckets }, noCounts);
    const whole = noCounts();
    for (const [minute, counts] of this.#sessions.get(sessionId) ?? []) {
      // The middle of the minute: one that is in two parts counts in one.
      const at = (minute + 0.5) * minuteMs;
      if (at < since || minute * minuteMs > until) continue;
      const part = Math.min(buckets - 1, Math.floor(((at - since) * buckets) / Math.max(1, until - since)));
      for (const [place, count] of counts.entries()) {
        addTo(whole, place, count);
        addTo(parts[part] ?? whole, place, count);
      }
    }
    const count = sumOf(whole);
    return {
      count,
      p50: percentile(whole, 0.5),
      p99: percentile(whole, 0.99),
      parts: parts.map((part) => percentile(part, 0.99)),
    };
  }

  /** Called now and then. */
  share(): void {
    const owed = this.#owed;
    if (owed.size === 0) return;
    this.#owed = new Map();
    for (const [sessionId, minutes] of owed) {
      for (const [minute, counts] of minutes) {
        const pairs = [...counts.entries()].filter(([, count]) => count > 0);
        const text = pairs.map(([place, count]) => `${place}:${count}`).join(' ');
        this.#ports.publish({ sessionId, minute, counts: text });
      }
    }
  }

  #add(
    sessions: Map<string, Minutes>,
    { sessionId, minute }: Pick<DelayNews, 'sessionId' | 'minute'>,
    place: number,
    count: number,
  ): void {
    const minutes = sessions.get(sessionId) ?? new Map<number, Counts>();
    // The session that was woken longest ago is forgotten first, and its oldest minute.
    sessions.delete(sessionId);
    sessions.set(sessionId, minutes);
    forgetOldest(sessions, sessionsKept);
    const counts = minutes.get(minute) ?? noCounts();
    minutes.set(minute, counts);
    forgetOldest(minutes, minutesKept);
    addTo(counts, place, count);
  }
}

function noCounts(): Counts {
  return Array.from({ length: places }, () => 0);
}

function addTo(counts: Counts, place: number, count: number): void {
  counts[place] = (counts[place] ?? 0) + count;
}

function sumOf(counts: Counts): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** In milliseconds, the upper end of its place. */
function percentile(counts: Counts, share: number): number | null {
  const wanted = sumOf(counts) * share;
  let seen = 0;
  for (const [place, count] of counts.entries()) {
    seen += count;
    if (count > 0 && seen >= wanted) return Math.round(2 ** (place / 2));
  }
  return null;
}
