// One filer per hub, every second: files what is not filed of deep inboxes, so that not even the first filtered read of one has to.
// See docs/decisions/0026-deep-inboxes.md.
import { repeatEvery, type Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { InboxName, Store } from '../../ports/store.js';

export interface FilerPorts {
  store: Pick<Store, 'inboxesToFile' | 'fileCopies'>;
  clock: Clock;
  log: Log;
}

const everyMs = 1_000;
/** So many inboxes are looked at each time; the next time, the ones after them. */
const agentsPerLook = 200;
/** An inbox that grows is filed again when about so many copies have come: a read scans them. */
const newCopies = 400;
const pauseMsMin = 20;

/** Returns the function that stops it. */
export function startFiler({ store, clock, log }: FilerPorts): () => void {
  let after: InboxName | null = null;
  const state = { isStopped: false };
  const look = async () => {
    const { inboxes, last } = await store.inboxesToFile({ after, limit: agentsPerLook });
    after = last;
    return inboxes;
  };
  const stop = repeatEvery(clock, everyMs, async () => {
    try {
      await fileWhileGrowing({ store, clock }, look, state);
    } catch (error) {
      if (!state.isStopped) log.warn('filing failed', { error: String(error) });
    }
  });
  return () => {
    state.isStopped = true;
    stop();
  };
}

type Ports = Pick<FilerPorts, 'store' | 'clock'>;
interface State {
  readonly isStopped: boolean;
}

interface Growing {
  inbox: InboxName;
  /** When it was last filed to its end; null: not yet. */
  filedAt: number | null;
}

/** Until none grows, with a look every second: who reads right after a burst of sends must not have to file them. */
async function fileWhileGrowing(ports: Ports, look: () => Promise<InboxName[]>, state: State): Promise<void> {
  const { clock } = ports;
  const growing = new Map<string, Growing>();
  let lookAt = clock.monotonic();
  while (!state.isStopped) {
    if (clock.monotonic() >= lookAt) {
      for (const inbox of await look()) {
        const key = `${inbox.sessionId}\n${inbox.agentId}`;
        if (!growing.has(key)) growing.set(key, { inbox, filedAt: null });
      }
      lookAt = clock.monotonic() + everyMs;
    }
    let pauseMs = everyMs;
    for (const [key, each] of growing) {
      const dueMs = await fileNow(ports, each, state);
      if (dueMs >= everyMs) growing.delete(key);
      else pauseMs = Math.min(pauseMs, dueMs);
    }
    if (growing.size === 0) return;
    await pause(clock, Math.max(pauseMsMin, pauseMs));
  }
}

/** Returns in how many milliseconds so many copies will have come that it should be filed again. */
async function fileNow(ports: Ports, growing: Growing, state: State): Promise<number> {
  const { inbox, filedAt } = growing;
  const begin = ports.clock.monotonic();
  const count = await fileInSteps(ports, inbox, state);
  growing.filedAt = begin;
  // Of the first time it is not known how long the copies had been there.
  if (filedAt === null) return pauseMsMin;
  return ((begin - filedAt) * newCopies) / Math.max(count, 1);
}

/** Rests after each step as long as the step took, under load thus longer: nobody waits for this. Returns how many were filed. */
async function fileInSteps({ store, clock }: Ports, inbox: InboxName, state: State): Promise<number> {
  let filed = 0;
  while (!state.isStopped) {
    const begin = clock.monotonic();
    const { count, hasMore } = await store.fileCopies(inbox);
    filed += count;
    if (!hasMore) break;
    await pause(clock, clock.monotonic() - begin);
  }
  return filed;
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}
