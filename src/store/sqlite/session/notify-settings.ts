// Filters of agents and templates of sessions. Few, and needed for every send, so the writer caches them.
import type { NoticeKind, NotifyPrefs } from '../../../contract/notify.js';
import type { NotifySettings } from '../../../notify/decide-notices.js';
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
