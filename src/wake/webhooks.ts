// The hub as the companion of webhook routes: asks the store for wakes as a companion does, and posts them, signed.
import { HubError } from '../contract/errors.js';
import type { HubSecret } from '../ports/hub-secret.js';
import type { Log } from '../ports/log.js';
import type { WakeOutcome } from '../contract/wake.js';
import type { AgentRef, GivenWake, WakeRoute } from '../ports/wake.js';
import type { WakeGuard } from '../signal/push/endpoint-guard.js';
import { post } from '../signal/push/post.js';
import { signedHeaders } from '../signal/push/webhook.js';
import { wakeText } from './describe.js';
import type { WakeHint } from './known-wakes.js';
import { hubCompanion, type WakePorts } from './ports.js';

export interface WebhookPorts extends Pick<WakePorts, 'store' | 'clock' | 'ids' | 'knownWakes' | 'isWaiting'> {
  wakeGuard: WakeGuard;
  hubSecret: Pick<HubSecret, 'unbox' | 'mac'>;
  log: Log;
}

/** For mail whose hint was lost. */
const lookEveryMs = 15_000;
const reasonCharsMax = 200;

export class Webhooks {
  readonly #ports: WebhookPorts;
  /** By route: when to ask next, and whether the store has named that time. */
  readonly #lookAt = new Map<string, { at: number; isNamed: boolean }>();
  readonly #stopped = new AbortController();
  readonly #underWay = new Set<Promise<void>>();

  constructor(ports: WebhookPorts) {
    this.#ports = ports;
  }

  /** Asks for every route whose time has come. */
  look(): void {
    const known = new Set<string>();
    for (const { facts } of this.#ports.knownWakes.all()) {
      for (const { id } of facts.routes) known.add(id);
      this.#lookFor(facts, facts.routes);
    }
    for (const id of this.#lookAt.keys()) if (!known.has(id)) this.#lookAt.delete(id);
  }

  /** Further mail does not change a time that the store has named. */
  hint({ sessionId, agentId }: AgentRef, hint: WakeHint): void {
    const routes = this.#ports.knownWakes.find(sessionId, agentId)?.facts.routes ?? [];
    for (const { id } of routes)
      if (hint === 'state' || this.#lookAt.get(id)?.isNamed === false) this.#lookAt.delete(id);
    this.#lookFor({ sessionId, agentId }, routes);
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.allSettled(this.#underWay);
  }

  #lookFor({ sessionId, agentId }: AgentRef, routes: readonly WakeRoute[]): void {
    const now = this.#ports.clock.now();
    for (const route of routes) {
      if (route.kind !== 'webhook' || this.#stopped.signal.aborted) continue;
      if ((this.#lookAt.get(route.id)?.at ?? 0) > now) continue;
      this.#lookAt.set(route.id, { at: now + lookEveryMs, isNamed: false });
      const asked = this.#ask({ sessionId, agentId }, route)
        .catch((error: unknown) => this.#failed({ sessionId, agentId }, error))
        .finally(() => this.#underWay.delete(asked));
      this.#underWay.add(asked);
    }
  }

  /** A route may have been removed elsewhere: by another hub, or with a key. */
  async #failed(ref: AgentRef, error: unknown): Promise<void> {
    const { knownWakes, log } = this.#ports;
    if (error instanceof HubError && error.code === 'WAKE_ROUTE_UNKNOWN') await knownWakes.refresh(ref);
    else log.warn('webhook not woken', { error: String(error) });
  }

  async #ask(ref: AgentRef, route: WakeRoute): Promise<void> {
    const { store, clock, ids, knownWakes, isWaiting } = this.#ports;
    const next = await store.nextWake({
      ...ref,
      routeId: route.id,
      companion: hubCompanion,
      wakeId: ids.wakeId(),
      calledMsAgo: knownWakes.calledMsAgo(ref),
      isWaiting: isWaiting(ref.sessionId, ref.agentId),
      leaseMs: 0,
      now: clock.now(),
    });
    if (next.retryAt !== null) {
      this.#lookAt.set(route.id, { at: clock.now() + Math.max(0, next.retryAt - next.now), isNamed: true });
    }
    if (next.wake === null) {
      if (next.news.length > 0 || next.state === 'replaced') await knownWakes.changed(ref, next.news);
      return;
    }
    await knownWakes.changed(ref, next.news);
    const { outcome, reason } = await this.#send(ref, { route, wake: next.wake });
    const report = { ...ref, wakeId: next.wake.wakeId, routeId: route.id, outcome, reason, leaseMs: 0 };
    const { news } = await store.reportWake({ ...report, now: clock.now() });
    await knownWakes.changed(ref, news);
  }

  async #send(
    { sessionId, agentId }: AgentRef,
    { route, wake }: { route: WakeRoute; wake: GivenWake },
  ): Promise<{ outcome: WakeOutcome; reason: string | null }> {
    const { hubSecret, wakeGuard, clock } = this.#ports;
    try {
      const url = hubSecret.unbox('wake-route', route.url ?? '');
      const secret = hubSecret.mac('wake-route', `${sessionId}\n${agentId}\n${url}`);
      const { wakeId, unread, senders: from, highest, isTest } = wake;
      const told = { v: 1, kind: 'wake', sessionId, agent: agentId, wakeId, unread, from, highest, isTest };
      const body = JSON.stringify({ ...told, text: wakeText(wake) });
      const headers = signedHeaders({ secret, body, deliveryId: wakeId, now: clock.now() });
      const { status } = await post(wakeGuard(url), {
        headers,
        body: Buffer.from(body),
        signal: this.#stopped.signal,
      });
      if (status >= 200 && status < 300) return { outcome: 'accepted', reason: null };
      return { outcome: 'failed', reason: `the webhook answered ${status}` };
    } catch (error) {
      const reason = error instanceof HubError ? error.message : 'the webhook cannot be reached';
      return { outcome: 'failed', reason: reason.slice(0, reasonCharsMax) };
    }
  }
}
