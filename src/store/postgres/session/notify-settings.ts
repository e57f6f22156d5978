// Filters of agents and templates of sessions. Few, and needed for every send, so the hub caches them.
import type { NoticeKind, NotifyPrefs } from '../../../contract/notify.js';
import type { NotifySettings } from '../../../notify/decide-notices.js';
import type { Tx } from '../connection/transaction.js';
import { findSession } from './sessions.js';

const none: NotifySettings = { prefs: new Map(), templates: {} };

export async function notifySettings(tx: Tx, sessionId: string): Promise<NotifySettings> {
  const session = await findSession(tx, sessionId);
  if (session === undefined) return none;
  session.notify ??= await read(tx, sessionId);
  return session.notify;
}

async function read(tx: Tx, sessionId: string): Promise<NotifySettings> {
  // uses the keys of both tables
  const rows = await tx.all<{ agent_id: string | null; name: NoticeKind; text: string }>(
    `select agent_id, null as name, prefs as text from notify_prefs where session_id = ?
     union all select null, name, text from notify_template where session_id = ?`,
    [sessionId, sessionId],
  );
  const prefs = new Map<string, NotifyPrefs>();
  const templates: NotifySettings['templates'] = {};
  for (const { agent_id: agentId, name, text } of rows) {
    if (agentId === null) templates[name] = text;
    else prefs.set(agentId, JSON.parse(text) as NotifyPrefs);
  }
  return { prefs, templates };
}
