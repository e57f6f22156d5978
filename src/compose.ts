// The composition root: opens the store, wires a hub, starts it and stops it in order.
import { Server as NetServer } from 'node:net';
import { KeyRing } from './access/key-ring.js';
import { ensureLocalPerson } from './agent/local-person.js';
import { idleMs } from './agent/presence.js';
import type { Config } from './config.js';
import type { ErrorCode } from './contract/errors.js';
import { setLimits } from './contract/limits.js';
import { applyConfiguredGroups } from './group/groups.js';
import { ConnectionEvidence } from './http/connection-evidence.js';
import { readTlsPair } from './http/tls.js';
import { listen, requireKeysBeyondLoopback, warnOfClearText } from './listen.js';
import { announce } from './message/send/announce.js';
import { ParkedWaits } from './message/wait/parked-waits.js';
import { openStore, type OpenedStore } from './open-store.js';
import type { Clock } from './ports/clock.js';
import type { Log } from './ports/log.js';
import type { Store } from './ports/store.js';
import type { Wakeup } from './ports/wakeup.js';
import { PrometheusMetrics } from './runtime/prometheus-metrics.js';
import { systemClock } from './runtime/system-clock.js';
import { InProcessWakeup } from './wakeup/in-process.js';
import { openHubSecret } from './signal/seal/open-hub-secret.js';
import { serverInfo, wire, type Parts } from './wire.js';

export interface Hub {
  readonly url: string;
  /** What the operator should know. */
  readonly warnings: readonly string[];
  /** False in open mode. */
  hasKeys(): boolean;
  /** Answers waiting calls with what they have, closes the store, unlocks the data folder. */
  stop(options?: StopOptions): Promise<void>;
}

export interface StopOptions {
  /** Closes the connections without waiting for the last answers to arrive. */
  isHurried?: boolean;
}

export interface HubOptions {
  config: Config;
  log: Log;
  /** The store can no longer be trusted: the process must exit and be restarted. */
  onBroken: (message: string) => void;
  clock?: Clock;
  /** For tests that simulate a power cut: stands for this start of the machine. */
  boot?: number;
  /** For tests that must force an order of events around a store call. */
  wrapStore?: (store: Store) => Store;
}

/** Time for written answers to be sent; connections still open then are closed. */
const drainMs = 3_000;
/** Longer than any evidence takes to arrive. */
const evidenceMs = 2_500;

export async function startHub(options: HubOptions): Promise<Hub> {
  const { config, log, clock = systemClock } = options;
  setLimits(config.limits);
  const tls = config.tls === null ? null : { files: config.tls, pair: readTlsPair(config.tls) };
  const metrics = new PrometheusMetrics();
  const parked = new ParkedWaits();
  const local = new InProcessWakeup(parked);
  // Replaced once the parts are wired; before that there is nothing to wake.
  let wakeup: Wakeup = local;
  let storeRefusal: ErrorCode | null = null;
  const opened = await openStore({
    config,
    log,
    clock,
    usesHubTime: options.clock !== undefined,
    boot: options.boot,
    onBroken: options.onBroken,
    onCondition(code, message) {
      storeRefusal = code;
      metrics.storeRefuses(code !== null);
      if (code === null) log.info('store accepts writes');
      else log.error('store refuses writes', { code, error: message });
    },
    onBatch: (commands, ms) => metrics.batchCommitted(commands, ms),
    onRead: (ms, queued) => metrics.readTook(ms, queued),
    onHanded: (handed) => parked.handOver(handed),
    onNotices(notices) {
      for (const news of notices) {
        if ('audited' in news) metrics.auditStored(news.audited);
        else announce({ wakeup, metrics }, news.sessionId, [news.appended]);
      }
    },
  });
  const store = options.wrapStore?.(opened.store) ?? opened.store;
  try {
    await requireKeysBeyondLoopback(store, config);
    const conformance = config.conformance
      ? (await import('./mcp/conformance/fixtures.js')).createConformanceParts({ serverInfo, log })
      : undefined;
    await applyConfiguredGroups({ store, clock }, config.groups);
    const warnings = await ensureLocalPerson({ store, clock, log }, config.person);
    const seen = await store.recentlySeen({ since: clock.now() - idleMs });
    const hubSecret = await openHubSecret({ store, clock, log, metrics }, config.hubSecret);
    const keys = await KeyRing.start({ store, clock });
    const parts = wire({
      config,
      log,
      clock,
      metrics,
      store,
      storeRefusal: () => storeRefusal,
      parked,
      local,
      link: opened.link,
      turns: opened.turns,
      conformance,
      keys,
      hubSecret,
      tls,
    });
    ({ wakeup } = parts);
    parts.presence.restore(seen);
    try {
      await parts.loadWakes();
      const url = await listen(parts.server, config);
      opened.noteHub(url);
      warnOfClearText(config, log);
      return { url, warnings, hasKeys: () => !keys.isOpen, stop: (how) => shutDown({ ...parts, keys }, opened, how) };
    } catch (error) {
      await keys.stop();
      parts.stopReaper();
      await parts.stopPushes();
      parts.server.close();
      parts.stopHubLink();
      throw error;
    }
  } catch (error) {
    await opened.link?.close();
    await store.close();
    opened.release();
    throw error;
  }
}

async function shutDown(
  { server, store, stopping, presence, keys, stopReaper, stopPushes, closeMcp, stopHubLink }: Parts & { keys: KeyRing },
  opened: OpenedStore,
  { isHurried = false }: StopOptions = {},
): Promise<void> {
  stopReaper();
  const pushesStopped = stopPushes();
  // net's close: http's would close idle connections at once, and with them the evidence of answers just sent.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  stopping.stop();
  if (isHurried) server.closeAllConnections();
  else await answersSettled();
  const drain = setTimeout(() => server.closeAllConnections(), drainMs);
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  server.closeIdleConnections();
  await closed;
  clearTimeout(drain);
  clearInterval(sweep);
  await closeMcp();
  await pushesStopped;
  await presence.save();
  await keys.stop();
  stopHubLink();
  await opened.link?.close();
  await store.close();
  opened.release();
}

/** An answer that arrived just before the shutdown should not be delivered again after the restart. */
async function answersSettled(): Promise<void> {
  const deadline = performance.now() + evidenceMs;
  while (ConnectionEvidence.inDoubt > 0 && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
