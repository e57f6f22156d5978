// Wires waking: what this hub remembers of routes, the webhooks it calls itself, and the sweeper.
import type { PresenceTracker } from './agent/presence.js';
import type { Config } from './config.js';
import type { Presence } from './contract/agent.js';
import type { AgentWake } from './contract/wake.js';
import type { NamedCaller } from './ports/caller.js';
import type { Clock } from './ports/clock.js';
import type { Ids } from './ports/ids.js';
import type { Log } from './ports/log.js';
import type { Store } from './ports/store.js';
import type { WakeNews } from './ports/wake.js';
import type { PrometheusMetrics } from './runtime/prometheus-metrics.js';
import { createWakeGuard } from './signal/push/endpoint-guard.js';
import type { SignalPorts } from './signal/ports.js';
import type { OwnedSecret } from './signal/seal/open-hub-secret.js';
import { describeNextWake, describeWake, isInLoop } from './wake/describe.js';
import { askForEscalation, noteEscalation, requireMayEscalate } from './wake/escalate.js';
import { KnownWakes } from './wake/known-wakes.js';
import { startWakeSweeper } from './wake/sweeper.js';
import { viewAttempt } from './wake/view.js';
import { Webhooks } from './wake/webhooks.js';
import type { InProcessWakeup } from './wakeup/in-process.js';

interface WakeBase {
  config: Config;
  store: Store;
  clock: Clock;
  log: Log;
  metrics: PrometheusMetrics;
  ids: Ids;
  presence: PresenceTracker;
  hubSecret: OwnedSecret;
  local: InProcessWakeup;
  /** To the other hubs, where there are some. */
  publish: (news: WakeNews) => void;
}

export function wireWake({ config, store, clock, log, metrics, ids, presence, hubSecret, local, publish }: WakeBase) {
  const calledAt = (session: string, agent: string) => presence.calledAt(session, agent);
  const knownWakes = new KnownWakes({ store, clock, log, metrics, calledAt, publish });
  const wakeGuard = createWakeGuard(config.wakeHosts);
  const isWaiting = (session: string, agent: string) => presence.presenceOf(session, agent) === 'waiting';
  const webhooks = new Webhooks({ store, clock, log, ids, knownWakes, isWaiting, wakeGuard, hubSecret });
  knownWakes.onAnyHint = (ref, hint) => webhooks.hint(ref, hint);
  local.onMail = (hint) => knownWakes.hint(hint, 'mail');
  return {
    knownWakes,
    /** For the operations. */
    ports: {
      knownWakes,
      wakeGuard,
      isWaiting,
      viewAttempt,
      wakeOf(sessionId: string, agentId: string, at: Presence): AgentWake | undefined {
        const known = knownWakes.find(sessionId, agentId);
        return known === undefined ? undefined : describeWake(known.facts, at, known.now);
      },
      nextWakeOf(sessionId: string, agentId: string, at: Presence): AgentWake | undefined {
        const known = knownWakes.find(sessionId, agentId);
        return known === undefined ? undefined : describeNextWake(known.facts, at, known.now);
      },
      wakesChanged: (sessionId: string, agentId: string) => knownWakes.changed({ sessionId, agentId }),
      isInWakeLoop(sessionId: string, sender: string, agentId: string): boolean {
        const known = knownWakes.find(sessionId, sender);
        return known !== undefined && isInLoop(known.facts, agentId, known.now);
      },
      requireMayEscalate: (caller: NamedCaller) => requireMayEscalate({ store }, caller),
      noteEscalation: (caller: NamedCaller, sent: { seq: number; recipients: readonly string[] }) =>
        noteEscalation({ store, clock }, caller, sent),
    },
    start(signal: SignalPorts) {
      const ask = (due: Parameters<typeof askForEscalation>[1]) =>
        askForEscalation({ ...signal, hubSecret, knownWakes, log }, due);
      const stopSweeper = startWakeSweeper({ store, clock, log, knownWakes, webhooks, ask });
      return { stop: stopSweeper, stopWebhooks: () => webhooks.stop() };
    },
  };
}
