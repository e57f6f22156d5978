// The newest messages of a session, counted.
import { countActivity, examinedMax, recipientCharsMax, type ActivityRow } from '../../rows/count-activity.js';
import type { Activity, ActivityQuery } from '../../../ports/history.js';
import type { Tx } from '../writer/transaction.js';
import { mayReadRow, type ReadableRow } from './reading-rights.js';

export function readActivity(tx: Tx, query: ActivityQuery): Activity {
  const { sessionId, reader, since } = query;
  // uses message_by_seq, newest first
  const rows = tx.all<Omit<ActivityRow, 'recipients'> & ReadableRow>(
    `select n, session_id, seq, sender, thread_id, at, iif(length(recipients) <= ?, recipients, '[]') as recipients,
       iif(recipients = '[]', 0, length(recipients) - length(replace(recipients, ',', '')) + 1) as copies
     from message where session_id = ? order by seq desc limit ?`,
    [recipientCharsMax, sessionId, examinedMax],
  );
  const readable = rows.filter((row) => row.at >= since && mayReadRow(tx, row, reader));
  return countActivity(readable.map(parsed), query, {
    isCut: rows.length === examinedMax,
    oldestAt: rows.at(-1)?.at ?? since,
  });
}

function parsed<Given extends { recipients: string }>(
  row: Given,
): Omit<Given, 'recipients'> & { recipients: string[] } {
  return { ...row, recipients: JSON.parse(row.recipients) as string[] };
}
