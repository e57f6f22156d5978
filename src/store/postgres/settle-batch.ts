// A batch whose connection broke before its answer came: was it stored? Its messages carry the batch's number, and once
// the old connection's server process is gone nothing can be stored any more.
import type { PoolClient } from 'pg';
import type { AppendResult, SendPlan } from '../../ports/store.js';
import { appendedWith, type Planned } from './append-batch.js';
import { CommitUnknown, pause, type Database } from './database.js';
import { keyText } from './idempotency.js';
import type { Tx } from './transaction.js';

export interface LostBatch {
  client: PoolClient;
  origin: number;
  sends: readonly Planned[];
  patienceMs: number;
}

/** One result for each send, null for those that were not stored because their session had changed. */
export async function settleBatch(
  database: Database,
  { client, origin, sends, patienceMs }: LostBatch,
): Promise<(AppendResult | null)[] | 'not stored'> {
  const deadline = performance.now() + patienceMs;
  try {
    while (!(await database.look((tx) => isGone(tx, client)))) {
      if (performance.now() > deadline) throw new CommitUnknown(new Error('the old connection is still at work'));
      await pause();
    }
    return await database.read((tx) => readBack(tx, origin, sends));
  } catch (error) {
    throw error instanceof CommitUnknown ? error : new CommitUnknown(error);
  }
}

/** Ends the server process that has the batch, and says whether it has ended. Process numbers come again, names do not. */
async function isGone(tx: Tx, client: PoolClient): Promise<boolean> {
  const { processID, connectionName } = identityOf(client);
  if (processID === null) return true;
  const rows = await tx.all(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid = ? and application_name = ?',
    ...[processID, connectionName],
  );
  return rows.length === 0;
}

/** The driver has both; its types name neither. */
function identityOf(client: PoolClient): { processID: number | null; connectionName: string } {
  const known = client as unknown as {
    processID?: number | null;
    connectionParameters?: { application_name?: string };
  };
  return {
    processID: known.processID ?? null,
    connectionName: known.connectionParameters?.application_name ?? '',
  };
}

async function readBack(
  tx: Tx,
  origin: number,
  sends: readonly Planned[],
): Promise<(AppendResult | null)[] | 'not stored'> {
  const sessions = [...new Set(sends.map(({ plan }) => plan.sessionId))];
  const stored = new Map<string, number[]>();
  for (const sessionId of sessions) stored.set(sessionId, await seqsOf(tx, sessionId, origin));
  if ([...stored.values()].every((seqs) => seqs.length === 0)) return 'not stored';
  const results: (AppendResult | null)[] = [];
  for (const send of sends) results.push(await resultOf(tx, send, stored.get(send.plan.sessionId) ?? []));
  return results;
}

async function seqsOf(tx: Tx, sessionId: string, origin: number): Promise<number[]> {
  // uses message's key: only what came after the last seq this hub has seen
  const rows = await tx.all<{ seq: number }>(
    'select seq from message where session_id = ? and seq > ? and origin = ? order by seq',
    ...[sessionId, tx.hubMemory.lastSeq(sessionId), origin],
  );
  return rows.map(({ seq }) => seq);
}

/** Takes its seq from those stored: a keyed one by its key, the others in their order. */
async function resultOf(tx: Tx, send: Planned, seqs: number[]): Promise<AppendResult | null> {
  const { plan } = send;
  const seq = plan.key === null ? await nextUnkeyed(tx, plan, seqs) : await seqOfKey(tx, plan);
  if (seq === undefined || !seqs.includes(seq)) return null;
  seqs.splice(seqs.indexOf(seq), 1);
  return { appended: appendedWith(tx, send, seq), senderUnread: 0 };
}

async function seqOfKey(tx: Tx, { sessionId, sender, key }: SendPlan): Promise<number | undefined> {
  const row = await tx.get<{ seq: number }>(
    'select seq from idempotency where session_id = ? and sender = ? and key = ?',
    ...[sessionId, sender, keyText(key?.key ?? '')],
  );
  return row?.seq;
}

async function nextUnkeyed(tx: Tx, { sessionId }: SendPlan, seqs: readonly number[]): Promise<number | undefined> {
  // uses message's key, then idempotency's by sender
  const row = await tx.get<{ seq: number }>(
    `select m.seq from message m where m.session_id = ? and m.seq = any(?::bigint[]) and not exists
       (select 1 from idempotency i where i.session_id = m.session_id and i.sender = m.sender and i.seq = m.seq)
     order by m.seq limit 1`,
    ...[sessionId, [...seqs]],
  );
  return row?.seq;
}
