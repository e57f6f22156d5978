// get_activity: how much was sent lately, and between whom.
import type { getActivity as contract } from '../../contract/operations/get-activity.js';
import type { InputOf, OutputOf } from '../../contract/operation.js';
import { HubError } from '../../contract/errors.js';
import { isAdmin, readerOf, type Caller } from '../../ports/caller.js';
import type { Clock } from '../../ports/clock.js';
import type { DelaysRead, StoppedLoop } from '../../ports/overview.js';
import type { Store } from '../../ports/store.js';

export interface ActivityPorts {
  store: Pick<Store, 'readActivity'>;
  clock: Clock;
  wakeDelays: {
    read(sessionId: string, query: { since: number; until: number; buckets: number }): DelaysRead;
  };
  stoppedLoops: { since(sessionId: string, since: number): StoppedLoop[] };
}

const hourMs = 60 * 60_000;

export async function getActivity(
  ports: ActivityPorts,
  caller: Caller,
  { since: given, buckets }: InputOf<typeof contract>,
): Promise<OutputOf<typeof contract>> {
  const { store, clock } = ports;
  const until = clock.now();
  const since = given ?? until - hourMs;
  if (since >= until) {
    throw new HubError('INVALID_INPUT', 'since: is not in the past.', {
      hint: 'Give an earlier time, or leave it out for the last hour.',
      details: { field: 'since', problem: 'is not in the past' },
    });
  }
  const { sessionId } = caller;
  const found = await store.readActivity({ sessionId, reader: readerOf(caller), since, until, buckets });
  const { sent, copies, pairs, countedSince } = found;
  return {
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    sent,
    copies,
    pairs,
    ...(countedSince === null ? {} : { countedSince: new Date(countedSince).toISOString() }),
    ...(isAdmin(caller) ? ofAll(ports, sessionId, { since, until, buckets }) : {}),
  };
}

/** Of all agents of the session, so for admins. */
function ofAll(
  { wakeDelays, stoppedLoops }: ActivityPorts,
  sessionId: string,
  query: { since: number; until: number; buckets: number },
): Pick<OutputOf<typeof contract>, 'wakes' | 'loops'> {
  const { count, p50, p99, parts } = wakeDelays.read(sessionId, query);
  const loops = stoppedLoops.since(sessionId, query.since).map(({ sender, other, threadId, at, count: times }) => ({
    agents: other === null ? [sender] : [sender, other],
    ...(threadId === null ? {} : { threadId }),
    at: new Date(at).toISOString(),
    times,
  }));
  return { wakes: { count, p50, p99, parts }, loops };
}
