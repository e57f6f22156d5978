// set_wake_route and remove_wake_route: how an agent can be woken, as its companion says. Only for the caller itself.
import { HubError } from '../contract/errors.js';
import type { removeWakeRoute as removeContract } from '../contract/operations/remove-wake-route.js';
import type { setWakeRoute as setContract } from '../contract/operations/set-wake-route.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import { limits } from '../contract/limits.js';
import { onOneLine } from '../contract/text/in-line.js';
import type { NamedCaller } from '../ports/caller.js';
import type { WakeRoute } from '../ports/wake.js';
import { requirePublicHost } from '../signal/push/endpoint-guard.js';
import { hubCompanion, leaseMs, type WakePorts } from './ports.js';

type Input = InputOf<typeof setContract>;

export async function setWakeRoute(
  ports: WakePorts,
  { sessionId, agentId }: NamedCaller,
  input: Input,
): Promise<OutputOf<typeof setContract>> {
  const ref = { sessionId, agentId };
  const isWebhook = input.kind === 'webhook';
  const companion = isWebhook ? hubCompanion : input.companion;
  if (companion === undefined) throw missing('companion', 'Give an id of this run of the companion.');
  if (!isWebhook && input.url !== undefined) {
    throw new HubError('INVALID_INPUT', 'url: is for the kind webhook only.', {
      hint: 'Leave url out: the companion on your machine wakes the client.',
      details: { field: 'url' },
    });
  }
  const hook = isWebhook ? await webhookOf(ports, ref, input.url) : undefined;
  const { kind, label, position, confirmMs, once } = input;
  const given: Omit<WakeRoute, 'setAt' | 'usedAt' | 'leaseUntil'> = {
    id: ports.ids.wakeRouteId(),
    kind,
    label: onOneLine(label),
    clientSession: input.clientSession ?? null,
    companion,
    position,
    confirmMs,
    wakesPerHour: input.wakesPerHour ?? null,
    quietMs: input.quietMs ?? null,
    isOnce: once,
    url: hook?.box ?? null,
    host: hook?.host ?? null,
  };
  const { route, tookOver } = await ports.store.setWakeRoute({
    ...ref,
    route: given,
    leaseMs: isWebhook ? null : leaseMs,
    replace: input.replace || isWebhook,
    now: ports.clock.now(),
  });
  await ports.knownWakes.changed(ref);
  return {
    success: true,
    routeId: route.id,
    leaseMs: isWebhook ? 0 : leaseMs,
    warnings: warningsOf(input, tookOver && !isWebhook),
    ...(hook === undefined ? {} : { secret: hook.secret }),
  };
}

/** The secret follows from the hub's own, so that it need not be stored and stays the same for the same URL. */
async function webhookOf(
  { wakeGuard, hubSecret }: WakePorts,
  { sessionId, agentId }: { sessionId: string; agentId: string },
  url: string | undefined,
): Promise<{ box: string; host: string; secret: string }> {
  if (url === undefined) throw missing('url', 'Give the https URL of the webhook.');
  const endpoint = wakeGuard(url);
  await requirePublicHost(endpoint);
  await hubSecret.requireOurs();
  return {
    box: hubSecret.box('wake-route', url),
    host: endpoint.url.host,
    secret: hubSecret.mac('wake-route', `${sessionId}\n${agentId}\n${url}`),
  };
}

function missing(field: string, hint: string): HubError {
  return new HubError('INVALID_INPUT', `${field}: is missing.`, { hint, details: { field } });
}

function warningsOf({ wakesPerHour = 0, quietMs }: Input, tookOver: boolean): string[] {
  return [
    ...(tookOver ? ['another companion held this route; its wait answers "replaced"'] : []),
    ...(wakesPerHour > limits.wakesPerHour ? [`the hub allows ${limits.wakesPerHour} wakes an hour`] : []),
    ...(quietMs !== undefined && quietMs < limits.wakeQuietMs
      ? [`the hub demands ${limits.wakeQuietMs / 1_000} s between wakes`]
      : []),
  ];
}

export async function removeWakeRoute(
  ports: WakePorts,
  { sessionId, agentId }: NamedCaller,
  { routeId, companion }: InputOf<typeof removeContract>,
): Promise<OutputOf<typeof removeContract>> {
  const ref = { sessionId, agentId };
  const removed = await ports.store.removeWakeRoute({
    ...ref,
    routeId,
    companion: companion ?? null,
    now: ports.clock.now(),
  });
  if (removed) {
    // A wake that was given to it may have no other route.
    await ports.knownWakes.changed(ref, await ports.store.settleWake({ ...ref, now: ports.clock.now() }));
  }
  return { success: true, removed };
}
