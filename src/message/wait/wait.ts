// wait_for_mentions: returns unread messages at once, else parks until one arrives, the timeout or a disconnect.
import type { waitForMentions as contract } from '../../contract/operations/wait-for-mentions.js';
import type { InputOf } from '../../contract/operation.js';
import type { NamedCaller } from '../../ports/caller.js';
import type { Clock } from '../../ports/clock.js';
import type { Ids } from '../../ports/ids.js';
import type { Metrics } from '../../ports/metrics.js';
import type { InboxFilter, Store, TakenCopies } from '../../ports/store.js';
import { acknowledgeCursor, requireCursor, type AcknowledgePorts } from '../inbox/acknowledge.js';
import { handOut, type HandedOut } from '../inbox/hand-out.js';
import { ParkedWait, type ParkedWaits } from './parked-waits.js';
import { readUntilFound, readWithRoom, type ParkPorts, type WaitContext } from './read-until.js';
import type { ReserveWait } from './reserve-wait.js';
import { answerWith, type ReadAnswer, type TakePorts, type Taking } from '../inbox/take-copies.js';
import { threadFilter } from '../inbox/thread-filter.js';
import { WaitingReader } from './waiting-reader.js';

export interface WaitPorts extends TakePorts, AcknowledgePorts, ParkPorts {
  store: Store;
  clock: Clock;
  ids: Ids;
  metrics: Metrics;
  parked: ParkedWaits;
  reserveWait: ReserveWait;
  /** For readers that are only named as the owner of an inbox. */
  recordSeen: (reader: NamedCaller) => void;
}

type Input = InputOf<typeof contract>;

/** Of the messages of one wait: less than a page, since many waits may be woken together. One message always fits. */
const waitBytes = 256 * 1024;

export async function waitForMentions(
  ports: WaitPorts,
  caller: NamedCaller,
  { input, context }: { input: Input; context: WaitContext },
): Promise<ReadAnswer> {
  if (input.cursor !== undefined) await acknowledgeCursor(ports, caller, requireCursor(input.cursor));
  const startedAt = ports.clock.monotonic();
  const waitMs = Math.min(input.timeoutMs, context.waitMsMax ?? input.timeoutMs);
  const filter: InboxFilter = {
    wakingOnly: input.for === 'mentions',
    ...(input.from === undefined ? {} : { from: input.from }),
    ...(await threadFilter(ports, caller, input.threadId)),
  };
  const { limit, ack } = input;
  const { model, client } = context;
  const taking: Taking = { filter, limit, ack, token: ports.ids.leaseToken(), model, client, bytesMax: waitBytes };
  const wait = new ParkedWait({ sessionId: caller.sessionId, agentId: caller.agentId, filter, token: taking.token });
  const freePlace = ports.reserveWait(caller);
  ports.parked.add(wait);
  const inbox = new WaitingReader(ports, caller, { wait, taking });
  let found: TakenCopies | undefined;
  try {
    found = await readUntilFound<TakenCopies>(ports, {
      sessionId: caller.sessionId,
      signal: wait,
      deadline: startedAt + waitMs,
      context,
      read: (isLast) => readWithRoom(context, { caller, bytes: waitBytes }, () => inbox.read(isLast)),
      progressText: () => `${caller.agentId} is waiting for messages`,
    });
  } finally {
    ports.parked.remove(wait);
    freePlace();
    inbox.end();
    // A signal after this wait's last read is for a message it did not take: the agent's next wait must read again.
    if (wait.isSignalled) ports.freed(caller.sessionId, caller.agentId);
  }
  const waitedMs = ports.clock.monotonic() - startedAt;
  const answer: ReadAnswer =
    found === undefined
      ? { output: nothingCame(caller.agentId, waitedMs) }
      : answerWith(ports, caller, { taken: found, taking, waitedMs });
  return waitMs < input.timeoutMs ? { ...answer, output: { ...answer.output, clampedToMs: waitMs } } : answer;
}

function nothingCame(reader: string, waitedMs: number): HandedOut {
  return handOut(reader, { copies: [], threads: [], hasMore: false, cursor: null, waitedMs, timedOut: true });
}
