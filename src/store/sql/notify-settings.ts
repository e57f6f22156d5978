// Filters of agents and templates of sessions: SQL that is the same in both databases.
import type { NotifyPrefs } from '../../contract/notify.js';
import type { Inbox, Statements } from '../rules/statements.js';
import type { Steps } from '../rules/steps.js';

export function* saveNotifyPrefs(tx: Statements, { sessionId, agentId }: Inbox, prefs: NotifyPrefs): Steps<void> {
  yield* tx.factsChange(sessionId, 'notify');
  yield* tx.run(
    `insert into notify_prefs (session_id, agent_id, prefs) values (?, ?, ?)
     on conflict (session_id, agent_id) do update set prefs = excluded.prefs`,
    [sessionId, agentId, JSON.stringify(prefs)],
  );
}

export function* deleteNotifyPrefs(tx: Statements, { sessionId, agentId }: Inbox): Steps<void> {
  yield* tx.factsChange(sessionId, 'notify');
  yield* tx.run('delete from notify_prefs where session_id = ? and agent_id = ?', [sessionId, agentId]);
}

export function* saveNotifyTemplate(
  tx: Statements,
  sessionId: string,
  { name, text }: { name: string; text: string | null },
): Steps<void> {
  yield* tx.factsChange(sessionId, 'notify');
  if (text === null) {
    yield* tx.run('delete from notify_template where session_id = ? and name = ?', [sessionId, name]);
    return;
  }
  yield* tx.run(
    `insert into notify_template (session_id, name, text) values (?, ?, ?)
     on conflict (session_id, name) do update set text = excluded.text`,
    [sessionId, name, text],
  );
}
