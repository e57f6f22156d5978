// The row of a question, a permission prompt or an alert, with its recipients.
import type { Priority } from '../../contract/message.js';
import type { AlertType, EncryptionLevel, SignalKind, SignalStatus } from '../../contract/signal/signal.js';
import type { SignalRecord, StoredBody } from '../../ports/signal.js';

export interface SignalRow {
  session_id: string;
  id: string;
  kind: SignalKind;
  sender: string;
  status: SignalStatus;
  level: EncryptionLevel;
  priority: Priority;
  alert_type: AlertType | null;
  thread_id: string | null;
  in_reply_to: string | null;
  project_id: string | null;
  label: string | null;
  option_count: number;
  call_hash: string | null;
  body: string;
  default_answer: string | null;
  answer: string | null;
  answered_by: string | null;
  answered_on: string | null;
  asked_at: number;
  expires_at: number | null;
  ended_at: number | null;
  /** Ids have no commas. */
  people: string | null;
}

/** Of the table as `s`. */
export const signalColumns = `s.session_id, s.id, s.kind, s.sender, s.status, s.level, s.priority, s.alert_type, s.thread_id,
  s.in_reply_to, s.project_id, s.label, s.option_count, s.call_hash, s.body, s.default_answer, s.answer, s.answered_by,
  s.answered_on, s.asked_at, s.expires_at, s.ended_at,
  (select string_agg(p.person_id, ',') from signal_recipient p
   where p.session_id = s.session_id and p.signal_id = s.id) as people`;

export function toSignal(row: SignalRow): SignalRecord {
  return {
    sessionId: row.session_id,
    id: row.id,
    kind: row.kind,
    sender: row.sender,
    people: row.people === null ? [] : row.people.split(',').toSorted(),
    status: row.status,
    level: row.level,
    priority: row.priority,
    alertType: row.alert_type,
    threadId: row.thread_id,
    inReplyTo: row.in_reply_to,
    projectId: row.project_id,
    label: row.label,
    optionCount: row.option_count,
    callHash: row.call_hash,
    body: JSON.parse(row.body) as StoredBody,
    defaultAnswer: bodyOf(row.default_answer),
    answer: bodyOf(row.answer),
    answeredBy: row.answered_by,
    answeredOn: row.answered_on,
    askedAt: row.asked_at,
    expiresAt: row.expires_at,
    endedAt: row.ended_at,
  };
}

function bodyOf(json: string | null): StoredBody | null {
  return json === null ? null : (JSON.parse(json) as StoredBody);
}
