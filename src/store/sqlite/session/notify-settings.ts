// Filters of agents and templates of sessions; few and asked for with every send, so the writer remembers them.
import type { NoticeKind, NotifyPrefs } from '../../../contract/notify.js';
import type { NotifySettings } from '../../../notify/decide-notices.js';
import type { Inbox } from '../../rules/statements.js';
import type { Tx } from '../writer/transaction.js';
import { findSession } from './sessions.js';

const none: NotifySettings = { prefs: new Map(), templates: {} };

export function notifySettings(tx: Tx, sessionId: string): NotifySettings {
  const session = findSession(tx, sessionId);
  if (session === undefined) return none;
  session.notify ??= read(tx, sessionId);
  return session.notify;
}

function read(tx: Tx, sessionId: string): NotifySettings {
  // uses the keys of both tables
  const prefs = tx.all<{ agent_id: string; prefs: string }>(
    'select agent_id, prefs from notify_prefs where session_id = ? order by agent_id',
    [sessionId],
  );
  const templates = tx.all<{ name: NoticeKind; text: string }>(
    'select name, text from notify_template where session_id = ? order by name',
    [sessionId],
  );
  return {
    prefs: new Map(prefs.map((row) => [row.agent_id, JSON.parse(row.prefs) as NotifyPrefs])),
    templates: Object.fromEntries(templates.map(({ name, text }) => [name, text])),
  };
}

export function saveNotifyPrefs(tx: Tx, { sessionId, agentId }: Inbox, prefs: NotifyPrefs): void {
  tx.run(
    `insert into notify_prefs (session_id, agent_id, prefs) values (?, ?, ?)
     on conflict (session_id, agent_id) do update set prefs = excluded.prefs`,
    [sessionId, agentId, JSON.stringify(prefs)],
  );
  forget(tx, sessionId);
}

export function deleteNotifyPrefs(tx: Tx, { sessionId, agentId }: Inbox): void {
  tx.run('delete from notify_prefs where session_id = ? and agent_id = ?', [sessionId, agentId]);
  forget(tx, sessionId);
}

export function saveNotifyTemplate(
  tx: Tx,
  sessionId: string,
  { name, text }: { name: string; text: string | null },
): void {
  tx.run('delete from notify_template where session_id = ? and name = ?', [sessionId, name]);
  if (text !== null) {
    tx.run('insert into notify_template (session_id, name, text) values (?, ?, ?)', [sessionId, name, text]);
  }
  forget(tx, sessionId);
}

function forget(tx: Tx, sessionId: string): void {
  const session = tx.memory.session(sessionId);
  if (session !== undefined) session.notify = undefined;
}
