// Wires Signal: what seals questions, what pushes them to devices, and the loops that expire, seal again and send.
import type { Config } from './config.js';
import { urlAt } from './listen.js';
import { announce } from './message/send/announce.js';
import type { Clock } from './ports/clock.js';
import type { Ids } from './ports/ids.js';
import type { Log } from './ports/log.js';
import type { Appended, Store } from './ports/store.js';
import type { Wakeup } from './ports/wakeup.js';
import type { HubServer } from './http/server.js';
import type { PrometheusMetrics } from './runtime/prometheus-metrics.js';
import { startExpiringQuestions } from './signal/expire.js';
import { contactOf } from './signal/push/contact.js';
import { createEndpointGuard } from './signal/push/endpoint-guard.js';
import { startOutbox } from './signal/push/outbox.js';
import type { OwnedSecret } from './signal/seal/open-hub-secret.js';
import { resealAfterPairing, startResealing } from './signal/seal/reseal.js';
import { createSealer } from './signal/seal/sealer.js';
import type { InProcessWakeup } from './wakeup/in-process.js';

interface SignalBase {
  config: Config;
  store: Store;
  clock: Clock;
  log: Log;
  metrics: PrometheusMetrics;
  ids: Ids;
  hubSecret: OwnedSecret;
  local: InProcessWakeup;
  wakeup: Wakeup;
  /** Asked once the hub serves. */
  server: () => HubServer;
}

export function wireSignal({ config, store, clock, log, metrics, ids, hubSecret, local, wakeup, server }: SignalBase) {
  const sealer = createSealer({ secret: hubSecret, store, requireE2e: config.requireE2e });
  const resealing = { store, secret: hubSecret, sealer, clock, log, wakeup };
  const appUrl = () => config.publicUrl ?? urlAt(server(), config.tls);
  const announceIn = (session: string, appended: readonly Appended[]) =>
    announce({ wakeup, metrics }, session, appended);
  const push = {
    secret: hubSecret,
    guard: createEndpointGuard(config.pushHosts),
    contact: contactOf(config),
    appUrl,
    clock,
  };
  return {
    /** For the operations. */
    ports: {
      hubSecret,
      sealer,
      push,
      appUrl,
      announce: announceIn,
      requestMac: (request: string) => hubSecret.mac('idempotency', request),
      onSignals: (session: string, callback: () => void) => local.onSignals(session, callback),
    },
    resealFor: (sessionId: string, personId: string) => resealAfterPairing(resealing, { sessionId, personId }),
    start() {
      const stopResealing = startResealing(resealing);
      const stopExpiring = startExpiringQuestions({ store, clock, log, wakeup, announce: announceIn });
      const outbox = startOutbox({ ...push, store, ids, log, metrics });
      local.onAnySignals = () => outbox.wake();
      return {
        stop() {
          stopResealing();
          stopExpiring();
        },
        stopPushes: () => outbox.stop(),
      };
    },
  };
}
