// Reads the facts that decide which stored messages a reader may read.
import type { CopyState } from '../../../contract/message.js';
import { mayRead } from '../../../message/history/decide-reading.js';
import type { Reader } from '../../../ports/caller.js';
import type { MessageRow } from '../../rows/message-row.js';
import type { Inbox } from '../../rules/statements.js';
import { findThreads } from '../thread/thread-rows.js';
import type { Tx } from '../connection/transaction.js';

type Row = Pick<MessageRow, 'session_id' | 'seq' | 'sender' | 'thread_id' | 'recipients'>;

interface OwnCopy {
  state: CopyState;
  attempts: number;
}

/** By seq. */
type OwnCopies = ReadonlyMap<number, OwnCopy>;

const noCopies: OwnCopies = new Map();

/** The messages that the reader may read; with the same number of round trips for any number of messages. */
export async function readableRows<Given extends Row>(
  tx: Tx,
  { sessionId, reader }: { sessionId: string; reader: Reader },
  rows: readonly Given[],
): Promise<Given[]> {
  if (reader.kind === 'all') return [...rows];
  const threadIds = rows.flatMap(({ thread_id: threadId }) => threadId ?? []);
  const threads = await findThreads(tx, sessionId, threadIds);
  const isReadable = ({ sender, seq, thread_id: threadId }: Given, copies: OwnCopies) => {
    const thread = threadId === null ? undefined : threads.get(threadId);
    return mayRead({ sender, seq, thread, ownCopy: () => copies.get(seq) }, reader);
  };
  // Its own copies are read only for messages that nothing else makes readable.
  const closed = rows.filter((row) => !isReadable(row, noCopies));
  const copies = reader.kind === 'agent' ? await ownCopies(tx, { ...reader, sessionId }, closed) : noCopies;
  return rows.filter((row) => isReadable(row, copies));
}

/** A copy that has not ended counts as pending; whether it is leased makes no difference here. */
async function ownCopies(tx: Tx, { sessionId, agentId: reader }: Inbox, rows: readonly Row[]): Promise<OwnCopies> {
  const seqs = rows.filter((row) => (JSON.parse(row.recipients) as string[]).includes(reader)).map(({ seq }) => seq);
  const copies = new Map<number, OwnCopy>(seqs.map((seq) => [seq, { state: 'pending', attempts: 0 }]));
  if (seqs.length === 0) return copies;
  // uses delivery_by_agent
  const ended = await tx.all<OwnCopy & { seq: number }>(
    'select seq, state, attempts from delivery where session_id = ? and agent_id = ? and seq = any(?::bigint[])',
    [sessionId, reader, seqs],
  );
  for (const { seq, state, attempts } of ended) copies.set(seq, { state, attempts });
  return copies;
}
