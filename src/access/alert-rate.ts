// How often an agent, and all agents of a session together, may alert people. Also in open mode, where nothing else is counted:
// an agent may take any name there, so that only the session's rate bounds what reaches a phone.
import { HubError } from '../contract/errors.js';
import { limits } from '../contract/limits.js';
import type { Clock } from '../ports/clock.js';
import { TokenBuckets } from './token-buckets.js';

interface AlertRatePorts {
  clock: Pick<Clock, 'monotonic'>;
  /** Tells the other hubs what was sent here. */
  publish: (bucket: string, alerts: number) => void;
}

interface Sender {
  sessionId: string;
  agentId: string;
}

export class AlertRate {
  readonly #ofAgents: TokenBuckets;
  readonly #ofSessions: TokenBuckets;
  readonly #publish: AlertRatePorts['publish'];

  constructor({ clock, publish }: AlertRatePorts) {
    const now = () => clock.monotonic();
    const { alertsPerMinute, alertsBurst, sessionAlertsPerMinute, sessionAlertsBurst } = limits;
    this.#ofAgents = new TokenBuckets({ perSecond: alertsPerMinute / 60, burst: alertsBurst }, now);
    this.#ofSessions = new TokenBuckets({ perSecond: sessionAlertsPerMinute / 60, burst: sessionAlertsBurst }, now);
    this.#publish = publish;
  }

  /** Counts an alert, or refuses it: a refused one does not count. What it returns takes the count back. */
  spend({ sessionId, agentId }: Sender): () => void {
    const [agent, session] = [agentBucket(sessionId, agentId), sessionBucket(sessionId)];
    const waitMs = this.#ofAgents.waitMs(agent);
    if (waitMs > 0) throw tooMany(`'${agentId}'`, this.#ofAgents, waitMs);
    const sessionWaitMs = this.#ofSessions.take(session);
    if (sessionWaitMs > 0) throw tooMany('The agents of this session together', this.#ofSessions, sessionWaitMs);
    this.#ofAgents.take(agent);
    return () => {
      this.#ofAgents.giveBack(agent);
      this.#ofSessions.giveBack(session);
    };
  }

  /** Called twice a second. */
  share(): void {
    for (const buckets of [this.#ofAgents, this.#ofSessions]) {
      for (const [bucket, alerts] of buckets.takeSpent()) this.#publish(bucket, alerts);
    }
  }

  spentElsewhere(bucket: string, alerts: number): void {
    (isOfAgent(bucket) ? this.#ofAgents : this.#ofSessions).deduct(bucket, alerts);
  }
}

// Ids have no slash.
const agentBucket = (sessionId: string, agentId: string) => `${sessionId}/${agentId}`;
const sessionBucket = (sessionId: string) => sessionId;
const isOfAgent = (bucket: string) => bucket.includes('/');

function tooMany(who: string, { rate: { perSecond, burst } }: TokenBuckets, retryAfterMs: number): HubError {
  const perMinute = Math.round(perSecond * 60);
  const seconds = Math.ceil(retryAfterMs / 1_000);
  return new HubError(
    'RATE_LIMITED',
    `${who} sent too many alerts: ${burst} at once and then ${perMinute} a minute are allowed. This one was not sent.`,
    {
      hint: `Send it again in ${seconds} seconds. Put what belongs together into one alert, and ask with ask_question if you need an answer.`,
      details: { retryAfterMs, perMinute, burst },
    },
  );
}
