// The newest messages of a session, counted.
import { countActivity, examinedMax, recipientCharsMax, type ActivityRow } from '../../rows/count-activity.js';
import type { Activity, ActivityQuery } from '../../../ports/history.js';
import type { MessageRow } from '../../rows/message-row.js';
import type { Tx } from '../connection/transaction.js';
import { readableRows } from './reading-rights.js';

type Row = Omit<ActivityRow, 'recipients'> & Pick<MessageRow, 'session_id' | 'seq' | 'thread_id' | 'recipients'>;

export async function readActivity(tx: Tx, query: ActivityQuery): Promise<Activity> {
  const { sessionId, since } = query;
  // uses message's key, newest first
  const rows = await tx.all<Row>(
    `select session_id, seq, sender, thread_id, at,
       case when length(recipients) <= ? then recipients else '[]' end as recipients,
       case when recipients = '[]' then 0 else length(recipients) - length(replace(recipients, ',', '')) + 1 end as copies
     from message where session_id = ? order by seq desc limit ?`,
    [recipientCharsMax, sessionId, examinedMax],
  );
  const recent = rows.filter(({ at }) => at >= since);
  const readable = await readableRows(tx, query, recent);
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
