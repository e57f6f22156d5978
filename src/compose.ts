// The only file that knows every part: puts a hub together, starts it, and takes it down in order.
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { idleMs, PresenceTracker } from './agent/presence.js';
import { Roster } from './agent/roster.js';
import type { Config } from './config.js';
import { HubError } from './contract/errors.js';
import { setLimits } from './contract/limits.js';
import { createDispatch } from './dispatch/dispatch.js';
import { applyConfiguredGroups } from './group/groups.js';
import { bindOperations } from './handlers.js';
import { ConnectionEvidence } from './http/connection-evidence.js';
import { createHttpServer } from './http/server.js';
import { Cancellations } from './mcp/cancellations.js';
import type { ConformanceParts } from './mcp/conformance/fixtures.js';
import { createMcpDoor } from './mcp/door.js';
import { announce } from './message/send/announce.js';
import { ParkedWaits } from './message/wait/parked-waits.js';
import { startReaper } from './message/inbox/reaper.js';
import { viewReceipt } from './message/receipts/receipts.js';
import { idempotencyKey, planSend } from './message/send/send.js';
import { ShownHeaders } from './message/inbox/shown-headers.js';
import { viewMessage } from './message/inbox/view.js';
import { openStore, type OpenedStore } from './open-store.js';
import type { Clock } from './ports/clock.js';
import type { HubLink } from './ports/hub-link.js';
import type { SharedTurns } from './ports/shared-turns.js';
import type { Log } from './ports/log.js';
import type { Store, Tallies } from './ports/store.js';
import type { Wakeup } from './ports/wakeup.js';
import { PrometheusMetrics } from './runtime/prometheus-metrics.js';
import { randomIds } from './runtime/random-ids.js';
import { StopSignal } from './runtime/stop-signal.js';
import { systemClock } from './runtime/system-clock.js';
import { packageVersion } from './version.js';
import { AcrossHubs } from './wakeup/across-hubs.js';
import { InProcessWakeup } from './wakeup/in-process.js';
import { operations } from './contract/operations/index.js';

export interface Hub {
  readonly url: string;
  /** Answers waiting calls with what they have, closes the store, frees the folder. */
  stop(): Promise<void>;
}

export interface HubOptions {
  config: Config;
  log: Log;
  /** The store can no longer be trusted: the process must end and be restarted. */
  onBroken: (message: string) => void;
  clock?: Clock;
  /** For tests that must force an order of events around a store call. */
  wrapStore?: (store: Store) => Store;
}

/** Long enough for answers already written to leave; the rest is cut. */
const drainMs = 3_000;
/** Longer than any evidence takes to come in. */
const evidenceMs = 2_500;
/** Who collects metrics does not wait long. */
const talliesMs = 2_000;

const serverInfo = { name: 'coterie', version: packageVersion };

export async function startHub(options: HubOptions): Promise<Hub> {
  const { config, log, clock = systemClock } = options;
  setLimits(config.limits);
  const metrics = new PrometheusMetrics();
  const parked = new ParkedWaits();
  const local = new InProcessWakeup(parked);
  // Set once the parts are put together; before that there is no one to wake.
  let wakeup: Wakeup = local;
  const opened = await openStore({
    ...{ config, log, clock, usesHubTime: options.clock !== undefined, onBroken: options.onBroken },
    onBatch: (commands, ms) => metrics.batchCommitted(commands, ms),
    onNotices(notices) {
      for (const { sessionId, appended } of notices) announce({ wakeup, metrics }, sessionId, [appended]);
    },
  });
  const store = options.wrapStore?.(opened.store) ?? opened.store;
  try {
    const conformance = config.conformance
      ? (await import('./mcp/conformance/fixtures.js')).createConformanceParts({ serverInfo, log })
      : undefined;
    await applyConfiguredGroups({ store, clock }, config.groups);
    const seen = await store.recentlySeen({ since: clock.now() - idleMs });
    const parts = wire({
      config,
      log,
      clock,
      metrics,
      store,
      parked,
      local,
      link: opened.link,
      turns: opened.turns,
      conformance,
    });
    ({ wakeup } = parts);
    parts.presence.restore(seen);
    try {
      const url = await listen(parts.server, config);
      opened.noteHub(url);
      return { url, stop: () => takeDown(parts, opened) };
    } catch (error) {
      parts.stopReaper();
      parts.server.close();
      parts.leaveOthers();
      throw error;
    }
  } catch (error) {
    await opened.link?.close();
    await store.close();
    opened.release();
    throw error;
  }
}

interface Parts {
  server: Server;
  store: Store;
  stopping: StopSignal;
  presence: PresenceTracker;
  wakeup: Wakeup;
  stopReaper: () => void;
  closeMcp: () => Promise<void>;
  leaveOthers: () => void;
}

interface Base {
  config: Config;
  log: Log;
  clock: Clock;
  metrics: PrometheusMetrics;
  store: Store;
  parked: ParkedWaits;
  local: InProcessWakeup;
  link: HubLink | undefined;
  turns: SharedTurns | undefined;
  conformance: ConformanceParts | undefined;
}

function wire({ config, log, clock, metrics, store, parked, local, link, turns, conformance }: Base): Parts {
  const stopping = new StopSignal();
  const others = link === undefined ? undefined : joinOthers({ link, local, parked, log, clock });
  const wakeup: Wakeup = others ?? local;
  const presence = new PresenceTracker({
    clock,
    store,
    isWaiting: (session, agent) => parked.isWaiting(session, agent),
    returned: (session) => wakeup.agents(session),
    publish: (session, agent, seen) => others?.presence(session, agent, seen),
  });
  parked.onWaiting = (session, agent, isWaiting) => presence.setWaiting(session, agent, isWaiting);
  const roster = new Roster({ store, clock, wakeup });
  const cancellations = new Cancellations(clock, (label, requestId) => others?.cancelled(label, requestId));
  others?.listen({
    presenceChanged: (session, agent, seen) => presence.applyRemote(session, agent, seen),
    agentsChanged: (session) => roster.forgetSession(session),
    missed: () => roster.forgetAll(),
    cancelled: (label, requestId) => void cancellations.cancelHere(label, requestId),
    turnTaken: (turn) => turns?.receiveTurn(turn),
  });
  if (turns !== undefined) turns.onTurn = (turn) => others?.turn(turn);
  const freed = (sessionId: string, agentId: string) => {
    parked.signalAll(sessionId, agentId);
    others?.freed(sessionId, agentId);
  };

  const shownHeaders = new ShownHeaders(clock);

  const bound = bindOperations({
    ...{ store, clock, metrics, log, wakeup, parked, presence, roster, stopping, freed, viewMessage, viewReceipt },
    ids: randomIds(),
    manualLeaseMs: config.manualLeaseMs,
    shownHeaders,
    forgetShownHeaders: (session, agent) => shownHeaders.forget(session, agent),
    recordSeen: ({ sessionId, agentId, origin }) => presence.recordSeen(sessionId, agentId, origin),
    presenceOf: (session, agent) => presence.presenceOf(session, agent),
    onAgents: (session, callback) => local.onAgents(session, callback),
    onThread: (session, threadId, callback) => local.onThread(session, threadId, callback),
    announce: (session, appended) => announce({ wakeup, metrics }, session, appended),
    planOpening: (caller, content, now) => planSend(caller, operations.sendMessage.input.parse({ content }), now),
    keyOf: idempotencyKey,
  });
  const dispatch = createDispatch({
    ...{ roster, presence, store, clock, log, metrics },
    bound: [...bound, ...(conformance?.operations ?? [])],
  });
  const mcp = createMcpDoor({
    ...{ dispatch, log, serverInfo },
    cancellations,
    waitMsUnknownClient: config.clientWaitMs,
    resultTokens: config.resultTokens,
    fixtures: conformance?.fixtures,
  });
  const server = createHttpServer({
    ...{ store, dispatch, log, viewMessage },
    version: packageVersion,
    serveMcp: (exchange) => mcp.serve(exchange),
    onFeed: (session, callback) => local.onFeed(session, callback),
    isStopping: () => stopping.isStopping,
    onStop: (callback) => stopping.onStop(callback),
    renderMetrics: async () => metrics.render(await talliesInTime(store)),
  });
  const stopReaper = startReaper({ store, clock, metrics, log, freed });
  return {
    server,
    store,
    stopping,
    presence,
    wakeup,
    stopReaper,
    closeMcp: () => mcp.close(),
    leaveOthers: () => others?.stop(),
  };
}

/** Null when the store does not answer soon. */
async function talliesInTime(store: Store): Promise<Tallies | null> {
  let late: NodeJS.Timeout | undefined;
  const tooLate = new Promise<null>((resolve) => (late = setTimeout(() => resolve(null), talliesMs)));
  try {
    return await Promise.race([store.tallies().catch(() => null), tooLate]);
  } finally {
    clearTimeout(late);
  }
}

/** The other hubs on the same database: what happens here wakes waits there, and the other way round. */
function joinOthers({
  link,
  local,
  parked,
  log,
  clock,
}: Pick<Base, 'local' | 'parked' | 'log' | 'clock'> & { link: HubLink }): AcrossHubs {
  return new AcrossHubs({
    ...{ link, local, log },
    now: () => clock.now(),
    waiting: () => parked.readers(),
    signalReader: (session, agent) => parked.signalAll(session, agent),
  });
}

async function listen(server: Server, { host, port }: Config): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(cause.code === 'EADDRINUSE' ? portInUse(host, port) : cause),
    );
    server.listen(port, host, resolve);
  });
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('a listening TCP server has an address');
  return `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`;
}

async function takeDown(
  { server, store, stopping, presence, stopReaper, closeMcp, leaveOthers }: Parts,
  opened: OpenedStore,
): Promise<void> {
  stopReaper();
  // net's own close: http's would cut idle connections at once, and with them the evidence of answers just given.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  stopping.stop();
  await answersSettled();
  const cut = setTimeout(() => server.closeAllConnections(), drainMs);
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  server.closeIdleConnections();
  await closed;
  clearTimeout(cut);
  clearInterval(sweep);
  await closeMcp();
  await presence.save();
  leaveOthers();
  await opened.link?.close();
  await store.close();
  opened.release();
}

/** An answer that arrived a moment before the end should not come again after the restart. */
async function answersSettled(): Promise<void> {
  const deadline = performance.now() + evidenceMs;
  while (ConnectionEvidence.inDoubt > 0 && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

function portInUse(host: string, port: number): HubError {
  return new HubError('PORT_IN_USE', `Port ${port} on ${host} is in use.`, {
    hint: 'Choose another with --port, or --port 0 for a free one.',
    details: { host, port },
  });
}
