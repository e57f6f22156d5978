// Once a second, at every hub: ends what is overdue, finds wakes that hints did not tell of, and asks people for those that
// no one could wake. The store lets only one hub act.
import { repeatEvery, type Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { DueEscalation, WakeStore } from '../ports/wake.js';
import type { KnownWakes } from './known-wakes.js';
import type { Webhooks } from './webhooks.js';

export interface SweepPorts {
  store: WakeStore;
  clock: Clock;
  log: Log;
  knownWakes: KnownWakes;
  webhooks: Pick<Webhooks, 'look'>;
  /** Asks people on the sender's behalf. */
  ask: (escalation: DueEscalation) => Promise<void>;
}

const everyMs = 1_000;
const wakesPerSweep = 1_000;
const escalationsPerSweep = 20;
/** If the hub dies while it asks, another one does after this. */
const holdMs = 30_000;
const pruneEveryMs = 10 * 60_000;
const goneMs = 24 * 60 * 60_000;

/** Returns the function that stops it. */
export function startWakeSweeper(ports: SweepPorts): () => void {
  const { clock, log } = ports;
  let prunedAt = clock.monotonic();
  return repeatEvery(clock, everyMs, async () => {
    try {
      await sweepWakes(ports);
      ports.webhooks.look();
      await sweepEscalations(ports);
      if (clock.monotonic() - prunedAt < pruneEveryMs) return;
      prunedAt = clock.monotonic();
      await ports.store.pruneWakeRoutes({ before: clock.now() - goneMs });
    } catch (error) {
      log.warn('wakes not swept', { error: String(error) });
    }
  });
}

async function sweepWakes({ store, clock, knownWakes }: SweepPorts): Promise<void> {
  const open = await store.openWakes({ now: clock.now(), limit: wakesPerSweep });
  for (const { sessionId, agentId, wakeId, isDue } of open) {
    const ref = { sessionId, agentId };
    const known = knownWakes.find(sessionId, agentId)?.facts.last;
    if (isDue) await knownWakes.changed(ref, await store.settleWake({ ...ref, now: clock.now() }));
    else if (known?.id !== wakeId || known.attempts.length === 0) await knownWakes.refresh(ref);
  }
  if (open.length === wakesPerSweep) return;
  const isOpen = new Set(open.map(({ wakeId }) => wakeId));
  for (const { facts } of Array.from(knownWakes.all())) {
    if (facts.last?.state === 'open' && !isOpen.has(facts.last.id)) await knownWakes.refresh(facts);
  }
}

async function sweepEscalations({ store, clock, log, ask }: SweepPorts): Promise<void> {
  if (!(await store.escalationsDue({ now: clock.now() }))) return;
  for (const due of await store.takeEscalations({ now: clock.now(), holdMs, limit: escalationsPerSweep })) {
    await ask(due).catch((error: unknown) => log.warn('escalation failed', { error: String(error) }));
  }
}
