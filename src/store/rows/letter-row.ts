// A dead letter joined with its message, for both stores. In SQL, `d` is the letter and `m` its message.
import type { DeadReason } from '../../contract/message.js';
import type { DeadLetterRecord } from '../../ports/store.js';
import { columnsOf, toRecord, type MessageRow } from './message-row.js';

export type LetterRow = MessageRow & {
  salt: number;
  number: number;
  recipient: string;
  reason: DeadReason;
  ended_at: number;
};

export const letterColumns = `d.id as number, d.recipient, d.reason, d.at as ended_at, ${columnsOf('m')},
  (select s.salt from session s where s.id = d.session_id) as salt`;

export function toLetter(row: LetterRow): DeadLetterRecord {
  const { number, recipient, reason, ended_at: at } = row;
  return { number, recipient, reason, at, message: toRecord(row, row.salt) };
}
