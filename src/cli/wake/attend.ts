// The loop of every companion: sets the route, parks in await_wake, wakes the client, says what became of it. It takes no message.
// A hub that is away, restarts or is another one of several does not end it.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorKinds, HubError, type ErrorCode } from '../../contract/errors.js';
import { operations } from '../../contract/operations/index.js';
import type { AttemptState, WakeKind } from '../../contract/wake.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { connect } from '../hub/connect.js';
import type { Pause } from './pace.js';
import type { WakeView } from './wake-text.js';

export interface Route {
  readonly kind: WakeKind;
  readonly label: string;
  readonly clientSession?: string;
  readonly position?: number;
  readonly confirmMs?: number;
  readonly wakesPerHour?: number;
  readonly once?: boolean;
}

export type Outcome = { outcome: 'accepted' | 'finished' } | { outcome: 'failed'; reason: string };

export interface Attempt {
  /** Who is woken. */
  readonly agent: string;
  /** Says that it still runs, so that no other route is tried; resolves with its state, undefined if the hub is away. */
  running(): Promise<AttemptState | undefined>;
}

export interface Companion {
  readonly choice: HubChoice;
  readonly route: Route;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Why no wake may be taken now; without a name as long as only a key is known. */
  readonly pause: (agent: string | undefined) => Pause | undefined;
  readonly wake: (wake: WakeView, attempt: Attempt) => Promise<Outcome>;
  /** For a person at the terminal. */
  readonly tell: (line: string) => void;
}

/** `woken`: the only wake of a route that is used up by one. `replaced`: another companion has taken over. */
export type Ending = 'woken' | 'replaced' | 'ended';

const waitMs = 25_000;
const retryMsMin = 250;
const retryMsMax = 15_000;
/** How soon a switch or the beginning of quiet hours is noticed. */
const lookEveryMs = 500;
/** A connection that was cut without a word, as by a machine that slept, must not hold the companion. */
const answerMsMax = 10_000;
const noAnswer = 'The hub does not answer.';
/** How long a sign of life may take; the next one follows. */
const beatMsMax = 5_000;
/** A client that ends its hook kills it about a second later. */
const farewellMsMax = 800;

export async function attend(companion: Companion): Promise<Ending> {
  const link = hubLink(companion);
  try {
    for (;;) {
      const ending = companion.signal.aborted ? 'ended' : await link.next();
      if (ending !== undefined) return ending;
    }
  } finally {
    await link.leave();
  }
}

function hubLink({ choice, route, signal, pause, wake, tell }: Companion) {
  const companion = `wake-${randomUUID()}`;
  let { agent } = choice;
  let routeId: string | undefined;
  let hadRoute = false;
  let failures = 0;
  let told = '';

  /** One step; resolves with the ending, if this was the last one. */
  async function next(): Promise<Ending | undefined> {
    const paused = pause(agent);
    if (paused !== undefined) return sitOut(paused);
    const looking = new AbortController();
    const timer = setInterval(() => {
      if (pause(agent) !== undefined) looking.abort();
    }, lookEveryMs);
    const until = AbortSignal.any([signal, looking.signal]);
    let answer;
    try {
      if (agent === undefined) {
        agent = await nameOfKey(until);
        // Its wakes may be switched off.
        return undefined;
      }
      answer = await look(until);
    } catch (error) {
      if (!signal.aborted && !looking.signal.aborted) await recover(error);
      return undefined;
    } finally {
      clearInterval(timer);
    }
    if (answer.state === 'replaced') return 'replaced';
    if (answer.wake === null) return undefined;
    await hand(answer.wake, { id: answer.routeId, agent });
    if (route.once !== true) return undefined;
    // The hub keeps it as used up, with what became of its wake.
    routeId = undefined;
    return 'woken';
  }

  async function nameOfKey(until: AbortSignal): Promise<string> {
    const call = { signal: within(answerMsMax, until) };
    return (await connect(choice).call(operations.listWakes, { limit: 1 }, call)).agent;
  }

  async function look(until: AbortSignal) {
    const hub = connect(choice);
    if (routeId === undefined) {
      const set = await hub.call(
        operations.setWakeRoute,
        { ...route, companion, replace: true },
        { signal: within(answerMsMax, until) },
      );
      routeId = set.routeId;
      if (!hadRoute) tell(`Waiting for mail that wakes. Route ${route.kind}, ${route.label}. Ctrl-C ends it.`);
      hadRoute = true;
    }
    const id = routeId;
    const startedAt = performance.now();
    const fields = { routeId: id, companion, timeoutMs: waitMs };
    const answer = await hub.call(operations.awaitWake, fields, { signal: within(waitMs + answerMsMax, until) });
    if (told !== '') tell('The hub is back.');
    [failures, told] = [0, ''];
    // A stopping hub answers early.
    const isEarly = answer.wake === null && performance.now() - startedAt < retryMsMin;
    if (isEarly && answer.state !== 'replaced') await sleep(retryMsMin, undefined, { signal: until });
    return { ...answer, routeId: id };
  }

  async function hand(given: WakeView, { id, agent: woken }: { id: string; agent: string }): Promise<void> {
    const report = (fields: Outcome | { outcome: 'running' }, until?: AbortSignal) =>
      connect(choice).call(operations.reportWake, { wakeId: given.wakeId, routeId: id, ...fields }, { signal: until });
    const attempt: Attempt = {
      agent: woken,
      async running() {
        try {
          return (await report({ outcome: 'running' }, AbortSignal.timeout(beatMsMax))).state;
        } catch {
          return undefined;
        }
      },
    };
    const outcome = await wake(given, attempt);
    // The last words may come after the signal that ends it.
    const isHurried = signal.aborted || route.once === true;
    const until = isHurried ? AbortSignal.timeout(farewellMsMax) : signal;
    for (let times = 0; ; times += 1) {
      try {
        await report(outcome, until);
        return;
      } catch (error) {
        // Without it the hub takes the wake for unconfirmed, and goes on.
        if (isHurried || signal.aborted || !isTemporary(error)) return;
        await pauseBeforeRetry(times);
      }
    }
  }

  async function recover(error: unknown): Promise<void> {
    const code = error instanceof HubError ? error.code : undefined;
    if (code === 'WAKE_ROUTE_UNKNOWN') routeId = undefined;
    else if (!isTemporary(error) && !(hadRoute && code === 'OPERATION_UNKNOWN')) throw error;
    else if (told !== (code ?? noAnswer)) {
      told = code ?? noAnswer;
      tell(`${error instanceof HubError ? `${told}: ${error.message}` : told} Trying again until it answers.`);
    }
    await pauseBeforeRetry(failures);
    failures += 1;
  }

  async function sitOut({ why, until }: Pause): Promise<undefined> {
    tell(`Not waking${until === undefined ? '' : ` until ${until.toLocaleTimeString()}`}: ${why}`);
    await leave();
    while (!signal.aborted && pause(agent) !== undefined)
      await sleep(lookEveryMs, undefined, { signal }).catch(() => {});
    if (!signal.aborted) tell('Waking again.');
  }

  function pauseBeforeRetry(times: number): Promise<void> {
    const ms = Math.min(retryMsMax, retryMsMin * 2 ** Math.min(times, 10));
    // Spread: the companions of a hub that comes back must not come all at once.
    return sleep(ms * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {});
  }

  /** So that the hub does not count on it any longer. If it is away, the lease ends by itself. */
  async function leave(): Promise<void> {
    if (routeId === undefined) return;
    const fields = { routeId, companion };
    routeId = undefined;
    const until = AbortSignal.timeout(farewellMsMax);
    await connect(choice)
      .call(operations.removeWakeRoute, fields, { signal: until })
      .catch(() => {});
  }

  return { next, leave };
}

function within(ms: number, until: AbortSignal): AbortSignal {
  return AbortSignal.any([until, AbortSignal.timeout(ms)]);
}

function isTemporary(error: unknown): boolean {
  if (!(error instanceof HubError)) return error instanceof Error && error.name === 'TimeoutError';
  const code: ErrorCode = error.code;
  return errorKinds[code].retry === 'later';
}
