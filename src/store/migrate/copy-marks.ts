// Records the state in which a copy left each session. A session that differs at the next run was written by others and is
// not overwritten.
import type { Target } from './target.js';

interface CopyMark {
  /** The last message at the time of the copy. */
  seq: number;
  fingerprints: Record<string, string>;
}

/** Not part of the schema of hubs: only copies use it. */
export async function ensureMarks(target: Target): Promise<void> {
  await target.query(`create table if not exists copy_mark (
    session_id text collate "C" primary key, seq bigint not null, fingerprints text not null)`);
}

export async function markOf(target: Target, sessionId: string): Promise<CopyMark | undefined> {
  const [row] = await target.query('select seq, fingerprints from copy_mark where session_id = $1', [sessionId]);
  if (row === undefined) return undefined;
  // Safe: setMark wrote it.
  const fingerprints = JSON.parse(String(row['fingerprints'])) as Record<string, string>;
  return { seq: Number(row['seq']), fingerprints };
}

/** Call it in the transaction that copied the state. */
export async function setMark(target: Target, sessionId: string, seq: number): Promise<void> {
  await target.query(
    `insert into copy_mark (session_id, seq, fingerprints) values ($1, $2, $3)
     on conflict (session_id) do update set seq = excluded.seq, fingerprints = excluded.fingerprints`,
    [sessionId, seq, JSON.stringify(await target.fingerprints(sessionId))],
  );
}
