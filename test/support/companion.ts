// A companion as a test plays it: sets a route of its agent, waits for wakes and reports what became of them.
import { eventually } from './eventually.js';
import { call } from './http-call.js';

type Fields = Record<string, unknown>;

export interface Companion {
  routeId: string;
  name: string;
  /** One call of await_wake. */
  wait(timeoutMs?: number): ReturnType<typeof call>;
  report(wakeId: string, outcome: string, reason?: string): ReturnType<typeof call>;
}

export interface CompanionOf {
  url: string;
  session: string;
  agent: string;
}

export async function companionOf({ url, session, agent }: CompanionOf, route: Fields = {}): Promise<Companion> {
  const { companion = 'c1', ...fields } = route;
  const name = String(companion);
  const as = { agent, session };
  const { routeId } = await call(url, 'set_wake_route', { kind: 'codex-queue', companion, ...fields }, as);
  return {
    routeId,
    name,
    wait: (timeoutMs = 600_000) => call(url, 'await_wake', { routeId, companion, timeoutMs }, as),
    report: (wakeId, outcome, reason) => call(url, 'report_wake', { wakeId, routeId, outcome, reason }, as),
  };
}

/** The newest wake of the agent, once a call of its own has confirmed it: a hub that has not heard of the wake yet does so later. */
export function confirmedWake({ url, session, agent }: CompanionOf): ReturnType<typeof call> {
  return eventually('the wake is confirmed', async () => {
    const { wakes } = await call(url, 'list_wakes', {}, { agent, session });
    return wakes[0]?.state === 'confirmed' && wakes[0];
  });
}
