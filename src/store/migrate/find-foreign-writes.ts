// Finds writes by others to the sessions of a copy since the last run. Checked before anything is changed.
import { HubError } from '../../contract/errors.js';
import { messageIdOf } from '../../contract/ids.js';
import { markOf } from './copy-marks.js';
import type { Sides } from './side-by-side.js';
import type { SourceSession } from './source.js';
import { canonical, changingTables, messages } from '../rows/tables.js';
import type { Target } from './target.js';

export async function requireNoForeignWrites(sides: Sides, sessions: readonly SourceSession[]): Promise<void> {
  const found: string[] = [];
  for (const session of sessions) {
    const change = await foreignWriteIn(sides, session);
    if (change !== undefined) found.push(`session '${session.id}' ${change}`);
  }
  if (found.length === 0) return;
  throw new HubError('DATABASE_CHANGED', `The database was changed by another writer: ${found.join('; ')}.`, {
    hint: 'Nothing was changed. Copy into an empty database, or use this one as it is.',
    details: { sessions: found },
  });
}

async function foreignWriteIn({ source, target }: Sides, session: SourceSession): Promise<string | undefined> {
  const there = await target.session(session.id);
  if (there === undefined) return undefined;
  const mark = await markOf(target, session.id);
  if (mark === undefined) return (await isUnused(target, session.id)) ? undefined : 'was used there by a hub';
  if (there.salt !== session.salt || there.created_at !== session.created_at)
    return 'is a different session with the same name';
  const last = await target.lastMessage(session.id);
  if (last !== undefined) {
    const seq = Number(last['seq']);
    const end = source.lastSeq(session.id);
    if (seq > end) return `has ${seq - end} messages that the folder does not have`;
    const same = source.message(session.id, seq);
    // A replay in the folder may have changed the recipients.
    if (
      same === undefined ||
      canonical(messages, { ...same, recipients: last['recipients'] ?? null }) !== canonical(messages, last)
    )
      return `has a different message ${messageIdOf(seq, session.salt)} than the folder`;
  }
  const fingerprints = await target.fingerprints(session.id);
  const changed = changingTables.filter(
    // Hubs delete expired keys.
    ({ name }) => name !== 'idempotency' && fingerprints[name] !== mark.fingerprints[name],
  );
  if (changed.length === 0) return undefined;
  return `was written to there since the last copy (${changed.map(({ kind }) => kind).join(', ')})`;
}

/** A hub may have created it at start, with the local person alone in it. */
async function isUnused(target: Target, sessionId: string): Promise<boolean> {
  const rows = await target.query(
    `select 1 as used from agent where session_id = $1 and kind <> 'human'
     union all select 1 from message where session_id = $1 union all select 1 from thread where session_id = $1
     union all select 1 from access_key where session_id = $1 union all select 1 from device where session_id = $1
     limit 1`,
    [sessionId],
  );
  return rows.length === 0;
}
