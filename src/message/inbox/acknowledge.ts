// Explicit acknowledgement: by message ids, up to a seq, or with the cursor of an earlier answer.
import { decodeCursor, type Cursor } from '../../contract/cursor.js';
import { HubError } from '../../contract/errors.js';
import type { ackMessages } from '../../contract/operations/ack-messages.js';
import type { InputOf, OutputOf } from '../../contract/operation.js';
import type { NamedCaller } from '../../ports/caller.js';
import type { Clock } from '../../ports/clock.js';
import type { Metrics } from '../../ports/metrics.js';
import type { LeasedCopies, Store } from '../../ports/store.js';
import type { ShownHeaders } from './shown-headers.js';

export interface AcknowledgePorts {
  store: Pick<Store, 'findLease' | 'findLeased' | 'findRead' | 'confirmLease' | 'releaseLease' | 'reopenCopies'>;
  clock: Clock;
  metrics: Metrics;
  freed: (sessionId: string, agentId: string) => void;
  shownHeaders: ShownHeaders;
}

type Input = InputOf<typeof ackMessages>;
type Output = OutputOf<typeof ackMessages>;

export async function acknowledge(ports: AcknowledgePorts, caller: NamedCaller, input: Input): Promise<Output> {
  const { ids, upTo, cursor, release } = input;
  if (ids === undefined && upTo === undefined && cursor === undefined) {
    throw new HubError('INVALID_INPUT', 'ack_messages needs ids, upTo or cursor.', {
      hint: 'Give the ids you were handed, a seq, or the cursor of the answer.',
    });
  }
  const { sessionId, agentId } = caller;
  const byCursor = cursor === undefined ? null : await leaseOf(ports, caller, requireCursor(cursor));
  const found =
    ids === undefined && upTo === undefined
      ? { leases: [], ids: [], notFound: [] }
      : await ports.store.findLeased({ sessionId, agentId, ids: ids ?? null, upTo: upTo ?? null });
  const leases = byCursor === null ? found.leases : [byCursor.lease, ...found.leases];
  await Promise.all(
    leases.map((lease) => (release ? ports.store.releaseLease({ ...lease, unsent: false }) : confirm(ports, lease))),
  );
  const settled = [...(byCursor?.ids ?? []), ...found.ids];
  if (!release) return { success: true, acknowledged: settled, notFound: found.notFound };
  ports.shownHeaders.forget(sessionId, agentId);
  const reopened = await reopenRead(ports, caller, found.notFound);
  ports.freed(sessionId, agentId);
  const notFound = found.notFound.filter((id) => !reopened.includes(id));
  return { success: true, acknowledged: [...settled, ...reopened], notFound };
}

/** Messages marked read that the reader never saw are made pending again, too; they are delivered again, marked. */
async function reopenRead(ports: AcknowledgePorts, caller: NamedCaller, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { sessionId, agentId } = caller;
  const read = await ports.store.findRead({ sessionId, agentId, ids });
  await ports.store.reopenCopies({ sessionId, agentId, token: '', keys: read.keys, at: ports.clock.now() });
  return read.ids;
}

/** A cursor passed with a later call acknowledges the answer it came with. */
export async function acknowledgeCursor(ports: AcknowledgePorts, caller: NamedCaller, cursor: Cursor): Promise<void> {
  const { lease } = await leaseOf(ports, caller, cursor);
  if (lease.keys.length > 0) await confirm(ports, lease);
}

async function confirm(ports: AcknowledgePorts, lease: LeasedCopies): Promise<void> {
  const seqs = await ports.store.confirmLease({ ...lease, at: ports.clock.now() });
  ports.metrics.copiesEnded('read', seqs.length);
}

export function requireCursor(text: string): Cursor {
  const cursor = decodeCursor(text);
  if (cursor !== undefined) return cursor;
  throw notACursor('is not a cursor of this hub');
}

function notACursor(problem: string): HubError {
  return new HubError('INVALID_INPUT', `cursor: ${problem}.`, {
    hint: 'Use the cursor of an earlier answer as it was, or leave it out.',
    details: { field: 'cursor', problem },
  });
}

async function leaseOf(
  ports: AcknowledgePorts,
  { sessionId, agentId }: NamedCaller,
  cursor: Cursor,
): Promise<{ lease: LeasedCopies; ids: string[] }> {
  if (cursor.kind !== 'lease') throw notACursor('marks a position in a list and acknowledges nothing');
  const { token, count, rank, seq } = cursor;
  return ports.store.findLease({ sessionId, agentId, token, count, rank, seq });
}
