// Filters of agents and templates of sessions; few and asked for with every send, so the hub remembers them.
import { defaultNotifyPrefs, type NoticeKind, type NotifyPrefs } from '../../../contract/notify.js';
import { changePrefs, type NotifySettings } from '../../../notify/decide-notices.js';
import type { Store } from '../../../ports/store.js';
import { requireAgent } from './agents-known.js';
import { ensureSession, findSession } from './sessions.js';
import type { Tx } from '../connection/transaction.js';

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
    ...[sessionId, sessionId],
  );
  const prefs = new Map<string, NotifyPrefs>();
  const templates: NotifySettings['templates'] = {};
  for (const { agent_id: agentId, name, text } of rows) {
    if (agentId === null) templates[name] = text;
    else prefs.set(agentId, JSON.parse(text) as NotifyPrefs);
  }
  return { prefs, templates };
}

export async function readNotifyPrefs(tx: Tx, query: Parameters<Store['readNotifyPrefs']>[0]): Promise<NotifyPrefs> {
  await requireAgent(tx, query.sessionId, query.agentId);
  return (await notifySettings(tx, query.sessionId)).prefs.get(query.agentId) ?? defaultNotifyPrefs;
}

export async function setNotifyPrefs(tx: Tx, plan: Parameters<Store['setNotifyPrefs']>[0]): Promise<NotifyPrefs> {
  const { sessionId, agentId, changes } = plan;
  const prefs = changePrefs(await readNotifyPrefs(tx, plan), changes);
  await tx.factsChange(sessionId);
  await tx.run(
    `insert into notify_prefs (session_id, agent_id, prefs) values (?, ?, ?)
     on conflict (session_id, agent_id) do update set prefs = excluded.prefs`,
    ...[sessionId, agentId, JSON.stringify(prefs)],
  );
  return prefs;
}

export async function setNotifyTemplate(tx: Tx, plan: Parameters<Store['setNotifyTemplate']>[0]): Promise<void> {
  const { sessionId, name, text } = plan;
  await ensureSession(tx, sessionId, plan.at);
  await tx.factsChange(sessionId);
  if (text === null) {
    await tx.run('delete from notify_template where session_id = ? and name = ?', sessionId, name);
    return;
  }
  await tx.run(
    `insert into notify_template (session_id, name, text) values (?, ?, ?)
     on conflict (session_id, name) do update set text = excluded.text`,
    ...[sessionId, name, text],
  );
}

export async function readNotifyTemplates(
  tx: Tx,
  { sessionId }: { sessionId: string },
): Promise<NotifySettings['templates']> {
  return (await notifySettings(tx, sessionId)).templates;
}

/** An agent that is removed takes its filters with it. The caller has said that facts change, and has read none since. */
export async function forgetNotifyPrefs(tx: Tx, sessionId: string, agentId: string): Promise<void> {
  await tx.run('delete from notify_prefs where session_id = ? and agent_id = ?', sessionId, agentId);
}
