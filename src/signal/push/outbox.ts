// Sends the pushes that wait in the store. Every hub does it; a lease lets only one send a push. If a hub dies between
// the service's answer and its record, the push is sent again, with the same topic and tag: it is shown once.
import type { TakenPush, ChannelStore } from '../../ports/channels.js';
import type { HubSecret } from '../../ports/hub-secret.js';
import type { Ids } from '../../ports/ids.js';
import type { Log } from '../../ports/log.js';
import type { Metrics } from '../../ports/metrics.js';
import { parseSettings, targetOf } from './channel-settings.js';
import { decideOutcome } from './decide-outcome.js';
import { HostSlots } from './host-slots.js';
import { requestMsMax } from './post.js';
import { quietForMs } from './quiet-hours.js';
import { sendPush, type SendPorts } from './send-push.js';

export interface OutboxPorts extends SendPorts {
  store: Pick<ChannelStore, 'takePushes' | 'settlePush' | 'countPushes'>;
  secret: HubSecret & { isOther(): boolean };
  ids: Ids;
  log: Log;
  metrics: Pick<Metrics, 'pushEnded'>;
}

export interface Outbox {
  /** Something may be due. */
  wake(): void;
  /** Ends what is under way, or gives it back. */
  stop(): Promise<void>;
}

const everyMs = 1_000;
/** How long a push waits if its hub dies while it sends it. */
const leaseMs = 20_000;
/** What has not begun by then is given back: a request ends, and is settled, before its lease does. */
const beginMsMax = leaseMs - requestMsMax - 2_000;
const atOnceMax = 32;
/** Each costs a few round trips to the database, and their leases begin together. */
const takenMax = 8;
const perHostMax = 4;
const stopMs = 2_000;

export function startOutbox(ports: OutboxPorts): Outbox {
  const { store, clock, ids, log, secret } = ports;
  const slots = new HostSlots(perHostMax);
  const underWay = new Set<Promise<void>>();
  /** Nothing new is taken. */
  const stopped = new AbortController();
  /** What is under way ends. */
  const stopping = new AbortController();
  let isOurs = false;
  let isWoken = false;
  let running: Promise<void> | undefined;
  let cancel = clock.after(everyMs, run);

  function run(): void {
    isWoken = true;
    if (running !== undefined || stopped.signal.aborted) return;
    cancel();
    running = rounds().finally(() => {
      running = undefined;
      if (!stopped.signal.aborted) cancel = clock.after(everyMs, run);
    });
  }

  async function rounds(): Promise<void> {
    while (isWoken && !stopped.signal.aborted) {
      isWoken = false;
      try {
        isWoken = await round();
      } catch (error) {
        log.warn('pushes not taken', { error: String(error) });
      }
    }
  }

  /** True if there may be more. */
  async function round(): Promise<boolean> {
    const limit = Math.min(takenMax, atOnceMax - underWay.size);
    if (limit <= 0) return false;
    if (!isOurs) {
      // A hub with another secret cannot open the channels: it leaves the pushes to the others.
      if (secret.isOther() || (await store.countPushes()).waiting === 0) return false;
      await secret.requireOurs();
      isOurs = true;
    }
    const takenAt = clock.monotonic();
    const pushes = await store.takePushes({ now: clock.now(), leaseMs, token: ids.leaseToken(), limit });
    for (const push of pushes) {
      const delivery = deliver(push, takenAt)
        .catch((error: unknown) => log.warn('push not settled', { error: String(error) }))
        .finally(() => {
          underWay.delete(delivery);
          // A full outbox goes on at once.
          if (underWay.size === atOnceMax - 1) run();
        });
      underWay.add(delivery);
    }
    return pushes.length === limit && underWay.size < atOnceMax;
  }

  async function deliver(push: TakenPush, takenAt: number): Promise<void> {
    const { sessionId, id, token, channel, signal, prefs, attempts } = push;
    const settle = (outcome: Parameters<typeof store.settlePush>[0]['outcome']) =>
      store.settlePush({ sessionId, id, token, outcome });
    const quietMs = signal.priority === 'high' ? 0 : quietForMs(prefs.quietHours, clock.now());
    if (quietMs > 0) return settle({ kind: 'later', delayMs: quietMs, at: clock.now(), fault: null });
    await slots.run(hostOf(push), async () => {
      const isLate = clock.monotonic() - takenAt > beginMsMax;
      if (isLate || stopped.signal.aborted) {
        return settle({ kind: 'later', delayMs: 0, at: clock.now(), fault: null });
      }
      const task = { message: signal, person: channel.personId, kid: push.kid, deliveryId: id };
      const sent = await sendPush(ports, channel, { ...task, signal: stopping.signal });
      if ('failed' in sent && stopping.signal.aborted) {
        return settle({ kind: 'later', delayMs: 0, at: clock.now(), fault: null });
      }
      const circumstances = { kind: channel.kind, attempts, now: clock.now(), random: Math.random() };
      const { result, fault, outcome } = decideOutcome(sent, circumstances);
      await settle(outcome);
      ports.metrics.pushEnded(channel.kind, result);
      if (fault !== null) {
        const status = 'answer' in sent ? sent.answer.status : undefined;
        log.warn(`push ${result}`, { sessionId, kind: channel.kind, channelId: channel.id, status });
      }
    });
  }

  function hostOf({ channel }: TakenPush): string {
    try {
      return new URL(targetOf(parseSettings(secret.unbox('channel', channel.settings)))).host;
    } catch {
      return '';
    }
  }

  return {
    wake: run,
    async stop() {
      stopped.abort();
      cancel();
      const late = setTimeout(() => stopping.abort(), stopMs);
      await running;
      await Promise.allSettled(underWay);
      clearTimeout(late);
    },
  };
}
