// Filters of agents and templates of sessions; few and asked for with every send, so the hub remembers them.
import type { NoticeKind, NotifyPrefs } from '../../../contract/notify.js';
import type { NotifySettings } from '../../../notify/decide-notices.js';
import type { Inbox } from '../../rules/statements.js';
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

export async function saveNotifyPrefs(tx: Tx, { sessionId, agentId }: Inbox, prefs: NotifyPrefs): Promise<void> {
  await tx.factsChange(sessionId);
  await tx.run(
    `insert into notify_prefs (session_id, agent_id, prefs) values (?, ?, ?)
     on conflict (session_id, agent_id) do update set prefs = excluded.prefs`,
    [sessionId, agentId, JSON.stringify(prefs)],
  );
}

export async function deleteNotifyPrefs(tx: Tx, { sessionId, agentId }: Inbox): Promise<void> {
  await tx.factsChange(sessionId);
  await tx.run('delete from notify_prefs where session_id = ? and agent_id = ?', [sessionId, agentId]);
}

export async function saveNotifyTemplate(
  tx: Tx,
  sessionId: string,
  { name, text }: { name: string; text: string | null },
): Promise<void> {
  await tx.factsChange(sessionId);
  if (text === null) {
    await tx.run('delete from notify_template where session_id = ? and name = ?', [sessionId, name]);
    return;
  }
  await tx.run(
    `insert into notify_template (session_id, name, text) values (?, ?, ?)
     on conflict (session_id, name) do update set text = excluded.text`,
    [sessionId, name, text],
  );
}
