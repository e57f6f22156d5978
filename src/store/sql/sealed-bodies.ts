// What signals are sealed with: SQL that is the same in both databases.
import type { SealedBodies, SignalKeyStore } from '../../ports/signal-keys.js';
import type { SignalRecord } from '../../ports/signal.js';
import { signalColumns, toSignal, type SignalRow } from '../rows/signal-row.js';
import type { Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';

export function* hubLevelSignals(
  tx: Statements,
  { sessionId, personId, since, limit }: Parameters<SignalKeyStore['hubLevelSignals']>[0],
): Steps<SignalRecord[]> {
  // uses signal_recipient's key and signal's key
  const rows = yield* tx.all<SignalRow>(
    `select ${signalColumns} from signal_recipient r
     join signal s on s.session_id = r.session_id and s.id = r.signal_id
     where r.session_id = ? and r.person_id = ? and s.level = 'hub' and (r.asked_at >= ? or s.status = 'pending')
     order by r.asked_at desc, r.signal_id desc limit ?`,
    [sessionId, personId, since, limit],
  );
  return rows.map(toSignal);
}

export function* replaceBodies(
  tx: Statements,
  { sessionId, id, from, to }: Parameters<SignalKeyStore['replaceBodies']>[0],
): Steps<boolean> {
  // uses signal's key
  const changed = yield* tx.run(
    `update signal set level = ?, body = ?, default_answer = ?, answer = ?
     where session_id = ? and id = ? and level = ? and body = ? and default_answer is not distinct from ?
       and answer is not distinct from ?`,
    [...columnsOf(to), sessionId, id, ...columnsOf(from)],
  );
  return changed > 0;
}

function columnsOf({ level, body, defaultAnswer, answer }: SealedBodies): (string | null)[] {
  return [
    level,
    JSON.stringify(body),
    defaultAnswer && JSON.stringify(defaultAnswer),
    answer && JSON.stringify(answer),
  ];
}

export function* pendingEnvelopes(tx: Statements, sessionId: string, personId: string): Steps<SignalRecord[]> {
  // uses signal_recipient's key and signal's key
  const rows = yield* tx.all<SignalRow>(
    `select ${signalColumns} from signal_recipient r
     join signal s on s.session_id = r.session_id and s.id = r.signal_id
     where r.session_id = ? and r.person_id = ? and s.status = 'pending' and s.level in ('device', 'end_to_end')
     order by r.asked_at desc, r.signal_id desc limit 1000`,
    [sessionId, personId],
  );
  return rows.map(toSignal);
}
