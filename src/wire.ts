// Wires the parts of a hub to each other.
import { randomUUID } from 'node:crypto';
import type { KeyRing } from './access/key-ring.js';
import { auditRead } from './access/audit-read.js';
import { startAuditPruning } from './access/prune-audit.js';
import { AgentBarriers } from './agent/barriers.js';
import { agentsHere } from './agent/list.js';
import { AnswerRoom } from './access/answer-room.js';
import { createCaps } from './access/caps.js';
import { FailedAttempts } from './access/failed-attempts.js';
import { AlertRate } from './access/alert-rate.js';
import { RateLimit } from './access/rate-limit.js';
import { ConnectedPrograms } from './agent/connected-programs.js';
import { PresenceTracker } from './agent/presence.js';
import { Roster } from './agent/roster.js';
import type { Config } from './config.js';
import type { ErrorCode } from './contract/errors.js';
import { trustedProxies } from './config/trusted-proxies.js';
import { admitFollower, dismiss, greet, noteSocket } from './dispatch/admit.js';
import { createDispatch } from './dispatch/dispatch.js';
import { bindOperations } from './handlers.js';
import { totalsInTime } from './read-totals.js';
import { createHttpServer, type HttpPorts, type HubServer } from './http/server.js';
import { Cancellations } from './mcp/cancellations.js';
import type { ConformanceParts } from './mcp/conformance/fixtures.js';
import { createMcpEndpoint } from './mcp/endpoint.js';
import type { ParkedWaits } from './message/wait/parked-waits.js';
import { WakeDelays } from './message/wait/wake-delays.js';
import { returnHanded } from './message/wait/waiting-reader.js';
import { reserveWaits } from './message/wait/reserve-wait.js';
import { startFiler } from './message/inbox/filer.js';
import { startReaper } from './message/inbox/reaper.js';
import { requireThere } from './session/transfer/finish-import.js';
import { startImportPruning } from './session/transfer/prune-imports.js';
import { viewReceipt } from './message/receipts/receipts.js';
import { idempotencyKey, planSend } from './message/send/send.js';
import { StoppedLoops } from './message/send/stopped-loops.js';
import { ReturningCopies } from './message/inbox/returning-copies.js';
import { ShownHeaders } from './message/inbox/shown-headers.js';
import { viewMessage } from './message/inbox/view.js';
import type { Clock } from './ports/clock.js';
import type { HubLink } from './ports/hub-link.js';
import type { SharedTurns } from './ports/shared-turns.js';
import type { Log } from './ports/log.js';
import type { Store } from './ports/store.js';
import type { CopyHint, Wakeup } from './ports/wakeup.js';
import type { PrometheusMetrics } from './runtime/prometheus-metrics.js';
import { randomIds } from './runtime/random-ids.js';
import { StopSignal } from './runtime/stop-signal.js';
import { packageVersion } from './version.js';
import { wireApp } from './wire-app.js';
import { wireSignal } from './wire-signal.js';
import { wireWake } from './wire-wake.js';
import { AcrossHubs } from './wakeup/across-hubs.js';
import type { InProcessWakeup } from './wakeup/in-process.js';
import type { OwnedSecret } from './signal/seal/open-hub-secret.js';
import { startUpkeep } from './session/upkeep.js';
import { readAnswerToken } from './signal/push/answer-token.js';
import { WaitRefusals } from './session/wait-refusal.js';
import { operations } from './contract/operations/index.js';

/** How soon other hubs learn that a program has disconnected. */
const sweepEveryMs = 1_000;

/** How soon other hubs learn what a key has spent here. */
const shareRatesEveryMs = 500;

export const serverInfo = { name: 'coterie', version: packageVersion };

export interface Parts {
  server: HubServer;
  store: Store;
  stopping: StopSignal;
  presence: PresenceTracker;
  wakeup: Wakeup;
  stopReaper: () => void;
  /** Ends the pushes that are under way. */
  stopPushes: () => Promise<void>;
  closeMcp: () => Promise<void>;
  /** Before the hub serves. */
  loadWakes: () => Promise<void>;
  stopHubLink: () => void;
}

interface Base {
  config: Config;
  log: Log;
  clock: Clock;
  metrics: PrometheusMetrics;
  store: Store;
  /** The code with which the store refuses writes now. */
  storeRefusal: () => ErrorCode | null;
  parked: ParkedWaits;
  local: InProcessWakeup;
  link: HubLink | undefined;
  turns: SharedTurns | undefined;
  conformance: ConformanceParts | undefined;
  keys: KeyRing;
  hubSecret: OwnedSecret;
  tls: HttpPorts['tls'];
}

export function wire({
  config,
  log,
  clock,
  metrics,
  store,
  storeRefusal,
  parked,
  local,
  link,
  turns,
  conformance,
  keys,
  hubSecret,
  tls,
}: Base): Parts {
  const stopping = new StopSignal();
  const acrossHubs = link === undefined ? undefined : connectHubs({ link, local, parked, log, clock });
  const wakeup: Wakeup = acrossHubs ?? local;
  const presence = new PresenceTracker({
    clock,
    store,
    isWaiting: (session, agent) => parked.isWaiting(session, agent),
    returned: (session) => wakeup.agents(session),
    publish: (session, agent, seen) => acrossHubs?.presence(session, agent, seen),
  });
  const programs = new ConnectedPrograms({
    clock,
    newId: randomUUID,
    publish: (session, agent, news) => acrossHubs?.program(session, agent, news),
  });
  const sweeping = setInterval(() => programs.sweep(), sweepEveryMs).unref();
  const rates = new RateLimit({ clock, publish: (keyId, calls) => acrossHubs?.spent(keyId, calls) });
  const alerts = new AlertRate({ clock, publish: (bucket, count) => acrossHubs?.alertsSpent(bucket, count) });
  const wakeDelays = new WakeDelays({ clock, publish: (news) => acrossHubs?.delays(news) });
  const failedAttempts = new FailedAttempts(clock);
  const sharing = setInterval(() => {
    rates.share();
    alerts.share();
    wakeDelays.share();
    failedAttempts.sweep();
  }, shareRatesEveryMs).unref();
  parked.onWaiting = (session, agent, isWaiting) => presence.setWaiting(session, agent, isWaiting);
  const waitRefusals = new WaitRefusals({ store, clock });
  local.onClosed = () => waitRefusals.mayHaveClosed();
  const ids = randomIds();
  const wake = wireWake({
    config,
    store,
    clock,
    log,
    metrics,
    ids,
    presence,
    hubSecret,
    local,
    publish: (news) => acrossHubs?.wake(news),
  });
  const roster = new Roster({ store, clock, wakeup });
  const cancellations = new Cancellations(clock, (...cancelled) => acrossHubs?.cancelled(...cancelled));
  const stoppedLoops = new StoppedLoops({ clock, publish: (loop) => acrossHubs?.loop(loop) });
  acrossHubs?.listen({
    programChanged: (session, agent, news) => programs.applyRemote(session, agent, news),
    presenceChanged: (session, agent, seen) => presence.applyRemote(session, agent, seen),
    agentsChanged: (session) => roster.forgetSession(session),
    missed: () => {
      roster.forgetAll();
      keys.changed();
      wake.knownWakes.load().catch((error: unknown) => log.warn('wake routes not read', { error: String(error) }));
    },
    keysChanged: () => keys.changed(),
    cancelled: (label, requestId, reason) => void cancellations.cancelHere(label, requestId, reason),
    turnTaken: (turn) => turns?.receiveTurn(turn),
    callsSpent: (keyId, calls) => rates.spentElsewhere(keyId, calls),
    alertsSpent: (bucket, count) => alerts.spentElsewhere(bucket, count),
    wakeChanged: (news) => wake.knownWakes.heard(news),
    loopStopped: (loop) => stoppedLoops.heard(loop),
    delaysCounted: (news) => wakeDelays.heard(news),
    greeted: () => stoppedLoops.tellAll(),
  });
  if (turns !== undefined) turns.onTurn = (turn) => acrossHubs?.turn(turn);
  const returning = new ReturningCopies();
  const freed = (sessionId: string, agentId: string) => {
    parked.signalAll(sessionId, agentId);
    acrossHubs?.freed(sessionId, agentId);
  };

  parked.onNotTaken = (handed) => returnHanded({ store, clock, metrics, log, freed, returning }, handed);

  /** The filters of waits at other hubs are not known here; most have none. */
  const isWokenElsewhere = ({ sessionId, agentId, isWaking, isInterrupt }: CopyHint) =>
    (isWaking || isInterrupt) &&
    !parked.isWaiting(sessionId, agentId) &&
    presence.presenceOf(sessionId, agentId) === 'waiting';

  const keysChanged = () => {
    keys.changed();
    acrossHubs?.keysChanged();
  };
  const shownHeaders = new ShownHeaders(clock);
  const caps = createCaps();
  const barriers = new AgentBarriers({
    onAgents: (session, callback) => local.onAgents(session, callback),
    readHere: async (session) =>
      (await waitRefusals.refusalIn(session)) === undefined ? agentsHere({ store, clock, presence }, session) : null,
  });

  const signal = wireSignal({
    config,
    store,
    clock,
    log,
    metrics,
    ids,
    hubSecret,
    local,
    wakeup,
    server: () => server,
  });
  const countAlert = (sender: Parameters<typeof alerts.spend>[0]) => alerts.spend(sender);
  const bound = bindOperations({
    release: packageVersion,
    store,
    clock,
    metrics,
    log,
    wakeup,
    parked,
    reserveWait: reserveWaits({ hold: caps.wait, metrics }),
    presence,
    programs,
    roster,
    stopping,
    freed,
    returning,
    viewMessage,
    viewReceipt,
    ids,
    manualLeaseMs: config.manualLeaseMs,
    shownHeaders,
    forgetShownHeaders: (session, agent) => shownHeaders.forget(session, agent),
    recordSeen: ({ sessionId, agentId }) => presence.recordSeen(sessionId, agentId),
    presenceOf: (session, agent) => presence.presenceOf(session, agent),
    isKnown: (session, agent) => roster.isKnown(session, agent),
    peopleAmong: (session, agents) => roster.peopleAmong(session, agents),
    isAwaited: (hint) => parked.hasMatch(hint) || isWokenElsewhere(hint),
    barriers,
    onThread: (session, threadId, callback) => local.onThread(session, threadId, callback),
    planOpening: (caller, content, now) => planSend(caller, operations.sendMessage.input.parse({ content }), now),
    keyOf: idempotencyKey,
    keysChanged,
    publicUrl: config.publicUrl,
    waitRefusal: (session) => waitRefusals.refusalIn(session),
    countAlert,
    wakeDelays,
    stoppedLoops,
    ...wake.ports,
    ...signal.ports,
  });
  const imports = { requireThere: (session: string) => requireThere({ store }, session) };
  const admission = { roster, presence, programs, imports, wakes: wake.knownWakes };
  const dispatch = createDispatch({
    ...admission,
    rates,
    store,
    clock,
    log,
    metrics,
    bound: [...bound, ...(conformance?.operations ?? [])],
  });
  const mcp = createMcpEndpoint({
    dispatch,
    spend: (grant) => rates.spend(grant),
    holdStream: caps.stream,
    greet: (connection) => greet(admission, connection),
    noteSocket: (connection) => noteSocket(admission, connection),
    dismiss: (connection) => dismiss(admission, connection),
    log,
    serverInfo,
    cancellations,
    waitMsUnknownClient: config.clientWaitMs,
    resultTokens: config.resultTokens,
    fixtures: conformance?.fixtures,
  });
  const server = createHttpServer({
    store,
    dispatch,
    log,
    viewMessage,
    version: packageVersion,
    hasKeys: () => !keys.isOpen,
    ...wireApp({
      spend: (grant) => rates.spend(grant),
      store,
      clock,
      keys,
      failedAttempts,
      metrics,
      hubSecret,
      localPerson: config.person,
      keysChanged,
      resealFor: signal.resealFor,
    }),
    spend: (grant) => rates.spend(grant),
    holdStream: caps.stream,
    holdBody: caps.body,
    answers: new AnswerRoom(clock),
    tls,
    reach: {
      host: config.host,
      isSecure: tls !== null,
      publicUrl: config.publicUrl,
      isTrustedProxy: trustedProxies(config.trustProxy) ?? (() => false),
    },
    readAnswerToken: (token) => readAnswerToken(hubSecret, token),
    serveMcp: (exchange) => mcp.serve(exchange),
    auditFollower: (caller) => auditRead({ store, clock }, caller, { act: 'follow events', target: '', details: {} }),
    admitFollower: (caller, connection) => admitFollower(admission, caller, connection),
    onFeed: (session, callback) => local.onFeed(session, callback),
    storeRefusal,
    hasOtherSecret: () => hubSecret.isOther(),
    onSignals: (session, callback) => local.onSignalFeed(session, callback),
    onWakes: (session, callback) => wake.knownWakes.onNews(session, callback),
    isStopping: () => stopping.isStopping,
    onStop: (callback) => stopping.onStop(callback),
    renderMetrics: async () => metrics.render(await totalsInTime(store, clock)),
  });
  const stopReaper = startReaper({ store, clock, metrics, log, freed });
  const stopFiler = startFiler({ store, clock, log });
  const signalLoops = signal.start();
  const wakeLoops = wake.start({ ...signal.ports, store, clock, ids, wakeup, countAlert });
  const stopPruning = startAuditPruning({ store, clock, log }, config.auditDays);
  const { retainDays } = config;
  const stopUpkeep = startUpkeep({ store, clock, log, wakeup, isStopping: () => stopping.isStopping, retainDays });
  const stopImportPruning = startImportPruning({ store, clock, ids, log });
  return {
    server,
    store,
    stopping,
    presence,
    wakeup,
    stopReaper() {
      stopReaper();
      stopFiler();
      signalLoops.stop();
      wakeLoops.stop();
      stopImportPruning();
      stopPruning();
      stopUpkeep();
    },
    async stopPushes() {
      await Promise.all([signalLoops.stopPushes(), wakeLoops.stopWebhooks()]);
    },
    loadWakes: () => wake.knownWakes.load(),
    closeMcp: () => mcp.close(),
    stopHubLink: () => {
      clearInterval(sweeping);
      clearInterval(sharing);
      acrossHubs?.stop();
    },
  };
}

/** Connects to the other hubs on the same database: changes at one hub wake waits at the others. */
function connectHubs({
  link,
  local,
  parked,
  log,
  clock,
}: Pick<Base, 'local' | 'parked' | 'log' | 'clock'> & { link: HubLink }): AcrossHubs {
  return new AcrossHubs({
    link,
    local,
    log,
    now: () => clock.now(),
    waiting: () => parked.readers(),
    signalReader: (session, agent) => parked.signalAll(session, agent),
  });
}
